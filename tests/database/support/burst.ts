/**
 * Saves posts one after another on eight connections until the server is gone; run by 320-kill as a process of its own, because
 * that is how a client that dies with its connection looks. Arguments: database URL, the writer's id, the posts. Prints one line
 * of JSON for each save that Postgres acknowledged.
 */
import process from "node:process";
import postgres from "postgres";

const [url, person, ...posts] = process.argv.slice(2) as [string, string, ...string[]];
const claims = JSON.stringify({ sub: person, role: "authenticated", session_id: person });

await Promise.all(
  posts.map(async (post) => {
    const sql = postgres(url, { max: 1, onnotice: () => {} });
    for (let n = 1; ; n += 1) {
      const title = `Save ${n}`;
      const [saved] = await sql.begin(async (tx) => {
        await tx`select set_config('role', 'authenticated', true), set_config('request.jwt.claims', ${claims}, true)`;
        return tx`select version from public.save_post(${post}, ${{ title } as never})`;
      });
      process.stdout.write(`${JSON.stringify({ post, version: saved!.version, title })}\n`);
    }
  }),
);
