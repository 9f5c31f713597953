import type { TransactionSql } from "postgres";

/**
 * Runs `work` as the API does for this person: role authenticated (anon for null) and the claims of his token.
 * A refusal undoes what `work` did and leaves the transaction usable.
 */
export async function asPerson<T>(tx: TransactionSql, person: string | null, work: (sql: TransactionSql) => Promise<T>): Promise<T> {
  const role = person === null ? "anon" : "authenticated";
  const claims = JSON.stringify(person === null ? { role } : { sub: person, role });
  return (await tx.savepoint(async (sql) => {
    await sql`select set_config('role', ${role}, true), set_config('request.jwt.claims', ${claims}, true)`;
    const result = await work(sql);
    await sql`select set_config('role', 'none', true), set_config('request.jwt.claims', '', true)`;
    return result;
  })) as T;
}
