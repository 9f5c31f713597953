import net from "node:net";
import { afterAll, beforeAll, describe, expect, inject, test } from "vitest";
import { createApp } from "../../edge-functions/releases/app.tsx";
import { connect } from "../../edge-functions/releases/queries/database.ts";
import { newPerson } from "./support/people.ts";
import { newPost, openWorkspace } from "./support/public.ts";

const { ownerUrl } = inject("stack");

interface Way {
  url: string;
  open(): number;
  close(): void;
}

/** A proxy to the database that counts connections. With `allowed`, it refuses other startup settings, like poolers do. */
async function startWay(allowed: readonly string[] | null): Promise<Way> {
  const { hostname, port } = new URL(ownerUrl);
  const open = new Set<net.Socket>();
  const server = net.createServer((client) => {
    open.add(client);
    client
      .on("close", () => open.delete(client))
      .on("error", () => client.destroy())
      .once("data", (startup) => {
        const names = startup
          .subarray(8)
          .toString()
          .split("\0")
          .filter((word, index) => index % 2 === 0 && word !== "");
        const refused = names.find((name) => allowed !== null && !allowed.includes(name));
        if (refused !== undefined) return client.end(refusal(`unsupported startup parameter: ${refused}`));
        const behind = net.connect(Number(port), hostname);
        behind.write(startup);
        client.pipe(behind).pipe(client);
        behind.on("error", () => client.destroy()).on("close", () => client.destroy());
        client.on("close", () => behind.destroy());
      });
  });
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  const url = new URL(ownerUrl);
  url.hostname = "127.0.0.1";
  url.port = String((server.address() as net.AddressInfo).port);
  return { url: url.href, open: () => open.size, close: () => server.close() };
}

function refusal(message: string): Buffer {
  const fields = Buffer.from(`SFATAL\0C08P01\0M${message}\0\0`);
  const head = Buffer.alloc(5, "E");
  head.writeInt32BE(fields.length + 4, 1);
  return Buffer.concat([head, fields]);
}

describe("an instance of the public pages", () => {
  let way: Way;
  beforeAll(async () => {
    way = await startWay(null);
  });
  afterAll(() => way.close());

  test("has two connections at most, and closes them when idle", async () => {
    const sql = connect(way.url);
    await Promise.all(Array.from({ length: 12 }, () => sql`select pg_sleep(0.1)`));
    expect(way.open()).toBe(2);
    await expect.poll(() => way.open(), { timeout: 20_000 }).toBe(0);
    await sql.end();
  });

  test("has as many as configured", async () => {
    const sql = connect(way.url, { max: 4 });
    await Promise.all(Array.from({ length: 12 }, () => sql`select pg_sleep(0.1)`));
    expect(way.open()).toBe(4);
    await sql.end();
  });
});

describe("behind a transaction pooler, which refuses startup settings,", () => {
  let way: Way;
  beforeAll(async () => {
    way = await startWay(["user", "database", "application_name", "client_encoding"]);
  });
  afterAll(() => way.close());

  test("a direct connection is refused", async () => {
    const sql = connect(way.url, { pooled: false });
    await expect(sql`select 1`).rejects.toMatchObject({ code: "08P01" });
    await sql.end();
  });

  test("pages are read as anon, each query with its own timeout", async () => {
    const owner = await newPerson();
    const { id, subdomain } = await openWorkspace(owner);
    const title = "By the pooler";
    const { slug } = await newPost(owner, id, { title, tags: ["fix"] });
    const sql = connect(way.url, { pooled: true });
    const app = createApp({ publicUrl: "https://tidings.example", sql, write: () => {} });
    for (const path of ["/releases", `/releases/${slug}`, "/releases?tag=fix", "/releases.json", "/releases/rss.xml", "/sitemap.xml"]) {
      const answer = await app.fetch(new Request(`https://${subdomain}.tidings.example${path}`));
      expect([path, answer.status]).toEqual([path, 200]);
      expect(await answer.text()).toContain(path === "/sitemap.xml" ? slug : title);
    }
    const [row] = await sql<{ role: string; patience: string }[]>`
      select current_user as role, current_setting('statement_timeout') as patience`;
    expect(row).toEqual({ role: "anon", patience: "5s" });
    await sql.end();
  });
});

test.each([
  ["postgresql://postgres@db.project.supabase.co:5432/postgres", false],
  ["postgresql://postgres.project@pooler.supabase.com:6543/postgres", true],
])("%s is a transaction pooler: %s", async (url, pooled) => {
  const sql = connect(url);
  expect(sql.pooled).toBe(pooled);
  await sql.end();
});
