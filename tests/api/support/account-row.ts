import type { Sql } from "postgres";

/**
 * What the auth service (GoTrue) writes beside an account and cannot do without: empty texts where a plain insert leaves null, its
 * instance, and the identity of the address. The embedded stack's own does not ask for them.
 */
export async function completeAccount(sql: Sql, id: string, email: string): Promise<void> {
  await sql`
    update auth.users set confirmation_token = '', recovery_token = '', email_change = '', email_change_token_new = '',
      email_change_token_current = '', phone_change = '', phone_change_token = '', reauthentication_token = ''
    where id = ${id}`;
  const data = sql.json({ sub: id, email, email_verified: true });
  await sql`
    insert into auth.identities (id, user_id, provider, provider_id, identity_data, created_at, updated_at)
    values (gen_random_uuid(), ${id}, 'email', ${id}, ${data}, now(), now())`;
  const [column] =
    await sql`select from information_schema.columns where table_schema = 'auth' and table_name = 'users' and column_name = 'instance_id'`;
  if (column) await sql`update auth.users set instance_id = '00000000-0000-0000-0000-000000000000' where id = ${id}`;
}
