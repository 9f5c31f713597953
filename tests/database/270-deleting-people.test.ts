import { randomUUID } from "node:crypto";
import { describe, expect } from "vitest";
import { type World, test } from "./support/world.ts";

const addressOf = async ({ tx, people }: World) =>
  (await tx<{ email: string }[]>`select email from auth.users where id = ${people.editor}`)[0]!.email;
const remove = ({ tx, people }: World, person: "editor" | "owner") => tx`delete from auth.users where id = ${people[person]}`;

async function invite({ tx, acme, people }: World, email: string, columns: Record<string, unknown> = {}): Promise<string> {
  const row = {
    workspace_id: acme,
    role: "viewer",
    email,
    token_hash: Buffer.from(randomUUID().slice(0, 32).padEnd(32)),
    created_by: people.owner,
    ...columns,
  };
  return (await tx<{ id: string }[]>`insert into public.invites ${tx(row as never)} returning id`)[0]!.id;
}
const shown = async ({ tx }: World, id: string) =>
  (await tx`select email, accepted_at is not null as accepted, revoked_at is not null as revoked from public.invites where id = ${id}`)[0];

describe("a deleted account", () => {
  test("deletes its avatars, unused ones too, and no others", async ({ world }) => {
    const { tx, people } = world;
    const mine = [`${people.editor}/${randomUUID()}.png`, `${people.editor}/${randomUUID()}.gif`];
    for (const name of [...mine, `${people.owner}/${randomUUID()}.png`])
      await tx`insert into storage.objects (bucket_id, name) values ('avatars', ${name})`;
    await tx`update public.profiles set avatar_url = ${`/storage/v1/object/public/avatars/${mine[0]}`} where user_id = ${people.editor}`;
    await remove(world, "editor");
    const queued = await tx`select path from private.discarded_files where bucket = 'avatars' and discarded_at = now()`;
    expect(queued.map((row) => row.path).sort()).toEqual(mine.sort());
  });

  test("leaves no address in invitations, and its open ones end", async ({ world }) => {
    const address = (await addressOf(world)).toUpperCase();
    const [open, used, other] = [
      await invite(world, address),
      await invite(world, address, { accepted_at: new Date() }),
      await invite(world, "other@example.com"),
    ];
    await remove(world, "editor");
    expect(await shown(world, open)).toEqual({ email: null, accepted: false, revoked: true });
    expect(await shown(world, used)).toEqual({ email: null, accepted: true, revoked: false });
    expect(await shown(world, other)).toEqual({ email: "other@example.com", accepted: false, revoked: false });
  });

  test("leaves its posts with the author's name", async ({ world }) => {
    const { tx, acme } = world;
    const [post] = await world.as(
      "editor",
      (me) => me`insert into public.posts (workspace_id, title) values (${acme}, 'Theirs') returning id`,
    );
    await remove(world, "editor");
    expect((await tx`select created_by_name from public.posts where id = ${post!.id}`)[0]).toEqual({ created_by_name: "editor" });
  });
});

test("an accepted invitation keeps its address for a week, an open one until it ends", async ({ world }) => {
  const days = (count: number) => new Date(Date.now() - count * 86_400_000);
  const [old, fresh, open] = [
    await invite(world, "old@example.com", { accepted_at: days(8) }),
    await invite(world, "fresh@example.com", { accepted_at: days(6) }),
    await invite(world, "open@example.com"),
  ];
  await world.tx`select private.tidy_up()`;
  expect([await shown(world, old), await shown(world, fresh), await shown(world, open)]).toMatchObject([
    { email: null },
    { email: "fresh@example.com" },
    { email: "open@example.com" },
  ]);
});
