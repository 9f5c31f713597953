import { rateLimits, scaledSize } from "#contract/rate-limits.ts";
import type { Sql } from "../queries/database.ts";

/** null for a wrong password, "later" after too many. */
export async function keyForPassword(
  sql: Sql,
  subdomain: string,
  password: string,
  network: string,
  scale: number,
): Promise<string | null> {
  const { address } = rateLimits.readerPassword;
  const [row] = await sql<{ key: string | null }[]>`
    select private.enter_by_password(${subdomain}, ${password}, ${network}, ${scaledSize(address, scale)}, ${address.seconds}) as key`;
  return row?.key ?? null;
}

export async function waitToIdentify(sql: Sql, network: string, scale: number): Promise<number> {
  const { address } = rateLimits.identify;
  const [row] = await sql<{ wait: number }[]>`
    select private.wait_to_identify(${network}, ${scaledSize(address, scale)}, ${address.seconds}) as wait`;
  return row?.wait ?? 0;
}

export async function keyForToken(sql: Sql, subdomain: string, token: string): Promise<string | null> {
  const [row] = await sql<{ key: string | null }[]>`select private.enter_by_token(${subdomain}, ${token}) as key`;
  return row?.key ?? null;
}
