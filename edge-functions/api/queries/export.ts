import { fromDatabase, type DatabaseError } from "../../_shared/backend-errors.ts";
import type { Env } from "../../_shared/env.ts";
import { AppError } from "../../_shared/errors.ts";

/**
 * Everything of a workspace, as the JSON text the database writes. Asked for without supabase-js, which would unpack it all:
 * a large workspace would not fit into a function's memory.
 */
export async function exportWorkspace(env: Env, token: string, workspaceId: string): Promise<ReadableStream<Uint8Array>> {
  const answer = await fetch(`${env.supabaseUrl}/rest/v1/rpc/export_workspace`, {
    method: "POST",
    headers: { apikey: env.publishableKey, authorization: `Bearer ${token}`, "content-type": "application/json" },
    body: JSON.stringify({ workspace_id: workspaceId }),
  }).catch((cause: unknown) => {
    throw new AppError("unavailable", { retryAfter: 1, cause });
  });
  if (answer.ok && answer.body) return answer.body;
  throw fromDatabase((await answer.json().catch(() => ({ code: "", message: "" }))) as DatabaseError, answer.status);
}
