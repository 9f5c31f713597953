import type { TransactionSql } from "postgres";

/** Runs `work` like the API for this user (anon for null) with their session's claims. A refusal rolls back to a savepoint. */
export async function asPerson<T>(tx: TransactionSql, person: string | null, work: (sql: TransactionSql) => Promise<T>): Promise<T> {
  const role = person === null ? "anon" : "authenticated";
  const claims = JSON.stringify(person === null ? { role } : { sub: person, role, session_id: person });
  return (await tx.savepoint(async (sql) => {
    await sql`select set_config('role', ${role}, true), set_config('request.jwt.claims', ${claims}, true), set_config('storage.allow_delete_query', 'true', true)`;
    const result = await work(sql);
    await sql`select set_config('role', 'none', true), set_config('request.jwt.claims', '', true), set_config('storage.allow_delete_query', '', true)`;
    return result;
  })) as T;
}
