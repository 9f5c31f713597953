import type { Database as Schema } from "#contract/database.ts";
import { type DatabaseError, fromDatabase } from "./backend-errors.ts";
import type { Env } from "./env.ts";
import { AppError } from "./errors.ts";

/** `rows`: comma-separated JSON; `next` null at the end. */
export interface RowsPage {
  rows: Uint8Array;
  next: string | null;
}

const [openingBracket, closingBracket] = ["[".charCodeAt(0), "]".charCodeAt(0)];

/** Calls an SQL function that returns a page of rows. Bypasses supabase-js, which would parse them. */
export async function readRowsPage(
  { supabaseUrl }: Env,
  name: keyof Schema["public"]["Functions"],
  headers: HeadersInit,
  args: object,
): Promise<RowsPage> {
  const answer = await fetch(`${supabaseUrl}/rest/v1/rpc/${name}`, { method: "POST", headers, body: JSON.stringify(args) }).catch(
    (cause: unknown) => {
      throw new AppError("unavailable", { retryAfter: 1, cause });
    },
  );
  if (!answer.ok) throw fromDatabase((await answer.json().catch(() => ({ code: "", message: "" }))) as DatabaseError, answer.status);
  const list = new Uint8Array(await answer.arrayBuffer());
  return {
    rows: list.subarray(list.indexOf(openingBracket) + 1, list.lastIndexOf(closingBracket)),
    next: answer.headers.get("x-next-rows"),
  };
}
