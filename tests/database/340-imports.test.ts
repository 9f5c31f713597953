import { describe, expect, test } from "vitest";
import { connect } from "./support/database.ts";
import { inDays, inWorld, type PostRow, type World } from "./support/world.ts";

const sql = connect();

async function open(world: World): Promise<string> {
  await world.as("owner", (me) => me`select public.set_public_changelog(${world.acme}, true)`);
  return (await world.tx`select subdomain::text from public.workspaces where id = ${world.acme}`)[0]!.subdomain as string;
}

describe("where posts were before", () => {
  const wasAt = async ({ tx, acme }: World, post: PostRow, host: string, path: string) =>
    tx`insert into public.post_redirects (workspace_id, host, path, post_id) values (${acme}, ${host}, ${path}, ${post.id})`;
  const found = async ({ as }: World, subdomain: string, host: string, path: string) =>
    (await as("anon", (me) => me`select private.find_redirect(${subdomain}, ${host}, ${path}) as slug`))[0]!.slug as string | null;

  test.each([
    ["with a slash at its end", "/news/first/", "/news/first"],
    ["with a query", "/news/first?utm_source=mail", "/news/first"],
    ["with a fragment", "/news/first/#top", "/news/first"],
    ["in letters of other scripts", "/nouveautés/été", "/nouveaut%C3%A9s/%C3%A9t%C3%A9"],
    ["as browsers send it", "/nouveaut%C3%A9s", "/nouveaut%C3%A9s"],
    ["the root", "/", ""],
  ])("a path is kept in one shape: %s", async (_what, path, kept) => {
    const [row] = await sql`select private.redirect_path(${path}) as kept`;
    expect(row!.kept).toBe(kept);
  });

  test(
    "leads to the present address of a post that readers may see, by the exact host, or by any if they agree",
    inWorld(sql, async (world) => {
      const subdomain = await open(world);
      const first = await world.post({ title: "First", status: "published" });
      const second = await world.post({ title: "Second", status: "published" });
      await wasAt(world, first, "old.example.com", "/news/1");
      await wasAt(world, second, "older.example.com:8080", "/news/1");
      await wasAt(world, first, "old.example.com", "/news/only");
      await wasAt(world, first, "older.example.com:8080", "/news/only");
      expect(await found(world, subdomain, "OLD.example.com:443", "/news/1/?page=2")).toBe("first");
      expect(await found(world, subdomain, "older.example.com:8080", "/news/1")).toBe("second");
      expect(await found(world, subdomain, "changes.example.com", "/news/1")).toBeNull();
      expect(await found(world, subdomain, "changes.example.com", "/news/only")).toBe("first");
      expect(await found(world, subdomain, "old.example.com", "/news")).toBeNull();
      expect(await found(world, subdomain, "old.example.com", "/")).toBeNull();

      await world.as("owner", (me) => me`select public.save_post(${first.id}, '{"slug": "moved-on"}')`);
      expect(await found(world, subdomain, "old.example.com", "/news/1")).toBe("moved-on");
      await world.as("owner", (me) => me`select public.archive_post(${first.id})`);
      expect(await found(world, subdomain, "old.example.com", "/news/1")).toBeNull();
    }),
  );

  test(
    "says nothing of drafts, of what is yet to come, of other workspaces, and of one that is closed",
    inWorld(sql, async (world) => {
      const subdomain = await open(world);
      await wasAt(world, await world.post(), "old.example.com", "/draft");
      await wasAt(world, await world.post({ title: "Soon", publish_at: inDays(1) }), "old.example.com", "/soon");
      await wasAt(world, await world.post({ title: "There", status: "published" }), "old.example.com", "/there");
      expect(await found(world, subdomain, "old.example.com", "/draft")).toBeNull();
      expect(await found(world, subdomain, "old.example.com", "/soon")).toBeNull();
      expect(await found(world, subdomain, "old.example.com", "/there")).toBe("there");
      await world.as("rival", (me) => me`select public.set_public_changelog(${world.globex}, true)`);
      const [globex] = await world.tx`select subdomain::text from public.workspaces where id = ${world.globex}`;
      expect(await found(world, globex!.subdomain as string, "old.example.com", "/there")).toBeNull();
      await world.as("owner", (me) => me`select public.set_public_changelog(${world.acme}, false)`);
      expect(await found(world, subdomain, "old.example.com", "/there")).toBeNull();
      expect(await found(world, "no-such-workspace", "old.example.com", "/there")).toBeNull();
    }),
  );

  test(
    "is read by members, and written by nobody",
    inWorld(sql, async (world) => {
      const post = await world.post();
      await wasAt(world, post, "old.example.com", "/draft");
      for (const [person, rows] of [
        ["viewer", 1],
        ["rival", 0],
        ["stranger", 0],
      ] as const)
        expect(await world.as(person, (me) => me`select from public.post_redirects`)).toHaveLength(rows);
      await expect(world.as("anon", (me) => me`select from public.post_redirects`)).rejects.toThrow("permission denied");
      await expect(
        world.as("owner", (me) => me`insert into public.post_redirects values (${world.acme}, 'b.example.com', '/b', ${post.id})`),
      ).rejects.toThrow("permission denied");
      await expect(world.as("owner", (me) => me`delete from public.post_redirects`)).rejects.toThrow("permission denied");
    }),
  );
});
