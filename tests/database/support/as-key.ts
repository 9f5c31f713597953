import type { TransactionSql } from "postgres";
import { type ApiKeyScope, apiKeyScopes } from "#contract/api-key-scopes.ts";
import { hashOfApiKey, makeApiKey, partsOfApiKey } from "#contract/rules/api-key.ts";
import { asPerson } from "./as-person.ts";

export interface Key {
  id: string;
  secret: string;
  hash: string;
}

export async function newKey(
  tx: TransactionSql,
  maker: string,
  workspace: string,
  scopes: readonly ApiKeyScope[] = apiKeyScopes,
): Promise<Key> {
  const secret = makeApiKey();
  const hash = await hashOfApiKey(secret);
  const { start, last4 } = partsOfApiKey(secret);
  const [row] = await asPerson(
    tx,
    maker,
    (sql) => sql`select id from public.create_api_key(${workspace}, 'Robot', ${[...scopes]}, ${hash}, ${start}, ${last4})`,
  );
  return { id: row!.id as string, secret, hash };
}

export async function asKey<T>(tx: TransactionSql, key: Key, call: string, work: (sql: TransactionSql) => Promise<T>): Promise<T> {
  return (await tx.savepoint(async (sql) => {
    await sql`select private.begin_key_call(${key.id}, ${call})`;
    const result = await work(sql);
    await sql`select set_config('role', 'none', true), set_config('request.jwt.claims', '', true), set_config('statement_timeout', '0', true)`;
    return result;
  })) as T;
}
