import { jwtVerify } from "jose";
import type { Sql } from "postgres";

export type Claims = { sub?: string; role?: string; exp?: number } & Record<string, unknown>;
export type Extension = "presence" | "broadcast";

export interface Authorizer {
  verify(token: string): Promise<Claims>;
  mayRead(topic: string, claims: Claims, extension: Extension): Promise<boolean>;
  mayWrite(topic: string, claims: Claims, extension: Extension): Promise<boolean>;
}

/** Checks the policies on realtime.messages like Supabase Realtime: reads or writes a row and rolls back. */
export function createAuthorizer(sql: Sql, jwtSecret: string): Authorizer {
  const secret = new TextEncoder().encode(jwtSecret);
  return {
    verify: async (token) => (await jwtVerify<Claims>(token, secret, { algorithms: ["HS256"], audience: "authenticated" })).payload,
    mayRead: (topic, claims, extension) =>
      probe(sql, async (transaction) => {
        const id = crypto.randomUUID();
        await transaction`insert into realtime.messages (id, topic, extension) values (${id}, ${topic}, ${extension})`;
        await actAs(transaction, topic, claims);
        const rows = await transaction`select 1 from realtime.messages where id = ${id}`;
        return rows.length === 1;
      }),
    mayWrite: (topic, claims, extension) =>
      probe(sql, async (transaction) => {
        await actAs(transaction, topic, claims);
        await transaction`insert into realtime.messages (topic, extension) values (${topic}, ${extension})`;
        return true;
      }),
  };
}

const actAs = (transaction: Sql, topic: string, claims: Claims) => transaction`
  select set_config('role', ${claims.role ?? "anon"}, true),
         set_config('realtime.topic', ${topic}, true),
         set_config('request.jwt.claims', ${JSON.stringify(claims)}, true)
`;

class Undo extends Error {
  readonly answer: boolean;
  constructor(answer: boolean) {
    super("undo");
    this.answer = answer;
  }
}

const insufficientPrivilege = "42501";

async function probe(sql: Sql, ask: (transaction: Sql) => Promise<boolean>): Promise<boolean> {
  try {
    await sql.begin(async (transaction) => {
      throw new Undo(await ask(transaction as unknown as Sql));
    });
  } catch (error) {
    if (error instanceof Undo) return error.answer;
    if ((error as { code?: string }).code !== insufficientPrivilege) throw error;
  }
  return false;
}
