import fs from "node:fs";
import path from "node:path";
import postgres, { type Sql } from "postgres";
import { adoptFormerNames } from "../supabase/local/former-names.ts";

/** `node scripts/delete-person.ts ada@example.com` deletes an account (docs/operations.md) unless it owns a workspace. */
try {
  const [email] = process.argv.slice(2);
  if (!email) throw new Error("Please give the email address of the account.");
  adoptFormerNames();
  const sql = postgres(databaseOf(process.env.TIDINGS_DATA_DIR ?? ".data"), { max: 1, onnotice: () => {}, connect_timeout: 10 });
  try {
    console.log(await deletePerson(sql, email));
  } finally {
    await sql.end();
  }
} catch (error) {
  console.error((error as Error).message);
  process.exitCode = 1;
}

async function deletePerson(sql: Sql, email: string): Promise<string> {
  const [person] = await sql<{ id: string }[]>`select id from auth.users where lower(email) = lower(${email})`;
  if (!person) throw new Error(`No account has the address ${email}.`);
  const owned = await sql<{ name: string; subdomain: string }[]>`
    select w.name, w.subdomain::text from public.workspaces w join public.members m on m.workspace_id = w.id
    where m.user_id = ${person.id} and m.role = 'owner' order by w.name`;
  if (owned.length > 0) {
    const list = owned.map(({ name, subdomain }) => `  ${name} (${subdomain})`).join("\n");
    throw new Error(`${email} owns workspaces; each is handed over or deleted first:\n${list}`);
  }
  await sql`delete from auth.users where id = ${person.id}`;
  return `${email} is deleted.`;
}

function databaseOf(dataDir: string): string {
  const file = path.resolve(dataDir, "stack.json");
  if (!fs.existsSync(file)) throw new Error(`Tidings isn't running on ${path.resolve(dataDir)}; start it first.`);
  return (JSON.parse(fs.readFileSync(file, "utf8")) as { dbUrl: string }).dbUrl;
}
