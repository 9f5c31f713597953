import { randomBytes } from "node:crypto";
import type { Sql } from "postgres";

export interface Account {
  email: string;
  fullName: string;
  password: string;
  companyName?: string;
}

export async function makeAccount(sql: Sql, id: string, { email, fullName, password, companyName }: Account): Promise<void> {
  const hash = sql`extensions.crypt(${password}, extensions.gen_salt('bf', 4))`;
  const data = sql.json({ full_name: fullName, ...(companyName === undefined ? {} : { company_name: companyName }) });
  await sql`
    insert into auth.users (id, aud, role, email, encrypted_password, email_confirmed_at, raw_app_meta_data, raw_user_meta_data, created_at, updated_at)
    values (${id}, 'authenticated', 'authenticated', ${email}, ${hash}, now(), '{"provider": "email"}', ${data}, now(), now())`;
  await completeAccount(sql, id, email);
}

export async function makeSession(sql: Sql, person: string, session: string, userAgent: string): Promise<string> {
  const token = randomBytes(6).toString("hex");
  await sql`
    insert into auth.sessions (id, user_id, user_agent, created_at, updated_at) values (${session}, ${person}, ${userAgent}, now(), now())`;
  await sql`
    insert into auth.refresh_tokens (token, user_id, session_id, revoked, created_at, updated_at)
    values (${token}, ${person}, ${session}, false, now(), now())`;
  if (await hasInstances(sql, "refresh_tokens"))
    await sql`update auth.refresh_tokens set instance_id = ${theInstance} where session_id = ${session}`;
  return token;
}

async function completeAccount(sql: Sql, id: string, email: string): Promise<void> {
  await sql`
    update auth.users set confirmation_token = '', recovery_token = '', email_change = '', email_change_token_new = '',
      email_change_token_current = '', phone_change = '', phone_change_token = '', reauthentication_token = ''
    where id = ${id}`;
  const data = sql.json({ sub: id, email, email_verified: true });
  await sql`
    insert into auth.identities (id, user_id, provider, provider_id, identity_data, created_at, updated_at)
    values (gen_random_uuid(), ${id}, 'email', ${id}, ${data}, now(), now())`;
  if (await hasInstances(sql, "users")) await sql`update auth.users set instance_id = ${theInstance} where id = ${id}`;
}

const theInstance = "00000000-0000-0000-0000-000000000000";

/** True if the table belongs to GoTrue, which has instances; the embedded stack's doesn't. */
async function hasInstances(sql: Sql, table: string): Promise<boolean> {
  const columns = await sql`
    select from information_schema.columns where table_schema = 'auth' and table_name = ${table} and column_name = 'instance_id'`;
  return columns.length > 0;
}
