/* oxlint-disable no-restricted-globals -- a program for Deno */
/** For Deno: starts and stops the embedded Postgres in a data folder, with binaries from another folder. Prints its version, or the error. */
import postgres from "postgres";
import { Children } from "../../../supabase/local/engine/children.ts";
import { Postgres } from "../../../supabase/local/engine/postgres.ts";

const [dataDir, programs] = Deno.args;
const server = new Postgres({
  dataDir,
  programs,
  adminPassword: "of a test",
  fast: true,
  slowQueryMs: null,
  children: new Children(dataDir),
  log: { write: () => {} },
  onChange: () => {},
});
try {
  await server.start();
  const sql = postgres(server.adminUrl, { max: 1 });
  const [{ version }] = await sql`select current_setting('server_version') as version`;
  await sql.end();
  console.log(`Postgres ${version}`);
} catch (error) {
  console.log(error.name, error.message);
}
await server.stop();
Deno.exit();
