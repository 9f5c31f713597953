/** Time of wrong passwords and links: it must not tell if a workspace has a password, or how close a guess was. Ratios are of the slower to the quicker. */
import http from "node:http";
import postgres from "postgres";
import { startStack } from "../support/stack.ts";
import { inPairs, Report } from "./report.ts";

const rounds = Number(process.argv[2] ?? 60);
const limit = 1.15;

const stack = await startStack({ env: { TIDINGS_RATE_LIMIT_SCALE: "1000000" } });
const sql = postgres(stack.dbUrl, { max: 1, onnotice: () => {} });
const add = async (access: string, password: string | null): Promise<string> => {
  const subdomain = `bench-${access}`;
  await sql`
    with w as (insert into public.workspaces (name, subdomain, origin, public_changelog_enabled)
      values ('Bench', ${subdomain}, 'https://bench.example', true) returning id)
    insert into private.reader_access (workspace_id, access, password_hash)
    select id, ${access}, extensions.crypt(${password}, extensions.gen_salt('bf', 10)) from w`;
  return subdomain;
};
const [locked, linked, open] = [await add("password", "open sesame"), await add("link", null), await add("public", null)];
const [{ key } = { key: "" }] = await sql<{ key: string }[]>`
  select private.reader_key(id, id) as key from public.workspaces where subdomain = ${linked}`;
await sql.end();

const ask = (subdomain: string, path: string, password?: string): Promise<number> =>
  new Promise((resolve, reject) => {
    const host = `${subdomain}.localhost:${stack.ports.gateway}`;
    const form = { "content-type": "application/x-www-form-urlencoded" };
    const options = { host: "127.0.0.1", port: stack.ports.gateway, path, agent: false } as const;
    const began = performance.now();
    http
      .request({ ...options, method: password ? "POST" : "GET", headers: { host, ...(password && form) } }, (answer) =>
        answer.resume().on("end", () => resolve(performance.now() - began)),
      )
      .on("error", reject)
      .end(password && new URLSearchParams({ password }).toString());
  });
const changed = (at: number): string => key.slice(0, at) + (key[at] === "A" ? "B" : "A") + key.slice(at + 1);
const tryPassword = (subdomain: string, password = "open barley") => ask(subdomain, "/releases/access", password);
const tryLink = (subdomain: string, at: string) => ask(subdomain, `/releases/access/${at}`);

const groups = {
  password: {
    "wrong password": () => tryPassword(locked),
    "a nearly right password": () => tryPassword(locked, "open sesamf"),
    "a password where a link is needed": () => tryPassword(linked),
    "a password of a public changelog": () => tryPassword(open),
    "a password of no workspace": () => tryPassword("bench-none"),
  },
  link: {
    "wrong link": () => tryLink(linked, "A".repeat(48)),
    "a link wrong in its MAC's first character": () => tryLink(linked, changed(28)),
    "a link wrong in its last character": () => tryLink(linked, changed(47)),
    "a link where a password is needed": () => tryLink(locked, key),
  },
} as const;

const report = new Report();
try {
  for (const [kind, group] of Object.entries(groups)) {
    const ways = Object.entries(group);
    const times = ways.map((): number[] => []);
    for (let round = -5; round < (kind === "link" ? 8 : 1) * rounds; round++)
      for (const step of ways.keys()) {
        const index = (step + round + 5) % ways.length; // none always follows the same one
        const took = await ways[index]![1]();
        if (round >= 0) times[index]!.push(took);
      }
    const [[reference = ""] = []] = ways;
    for (const [index, [name]] of ways.entries())
      if (index > 0) {
        const pair = inPairs(times[index]!, times[0]!, "ms", reference);
        report.compare(name, { ...pair, ratio: Math.max(pair.ratio!, 1 / pair.ratio!) }, "at most", limit);
      }
  }
} finally {
  await stack.stop();
}
report.end();
