import postgres from "postgres";
import { afterAll, inject } from "vitest";

export type Sql = postgres.Sql | postgres.TransactionSql;

const { dbUrl } = inject("stack");

export function connect(max = 2): postgres.Sql {
  const sql = postgres(dbUrl, { max, onnotice: () => {}, connection: { TimeZone: "UTC" } });
  afterAll(() => sql.end());
  return sql;
}

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
