import postgres from "postgres";
import { afterAll, inject } from "vitest";

export type Sql = postgres.Sql | postgres.TransactionSql;

const { dbUrl } = inject("stack");

/** A superuser's pool, closed after the test file. Tests switch to a user with `asPerson`. */
export function connect(max = 2): postgres.Sql {
  const sql = postgres(dbUrl, { max, onnotice: () => {}, connection: { TimeZone: "UTC" } });
  afterAll(() => sql.end());
  return sql;
}

/** Runs `work` in a transaction that is always rolled back, so that tests are isolated. */
export async function rolledBack<T>(sql: postgres.Sql, work: (tx: postgres.TransactionSql) => Promise<T>): Promise<T> {
  let result: { value: T } | undefined;
  const undo = new Error("rolled back on purpose");
  await sql
    .begin(async (tx) => {
      result = { value: await work(tx) };
      throw undo;
    })
    .catch((error: unknown) => {
      if (error !== undo) throw error;
    });
  return result!.value;
}
