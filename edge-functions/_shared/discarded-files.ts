import { createClient, type SupabaseClient } from "@supabase/supabase-js";
import type { Database } from "#contract/database.ts";
import { withoutSession } from "./clients.ts";
import type { Env } from "./env.ts";
import { log } from "./log.ts";

const atOnce = 100;
/** Nobody who has just deleted something waits longer than about this. */
const longestMs = 3_000;

/**
 * Removes files that nothing shows any more, 100 at a time until none or no time is left, through the Storage service: SQL may not
 * (supabase/schemas/33-files.sql). One of the three places that speak with the service role, because what a deleted post or workspace leaves behind
 * belongs to nobody. Calls that make such files do this last, and a clock asks for it (contract/jobs.ts). Never fails: what stays waits
 * for the next of them.
 */
export async function removeDiscardedFiles({ supabaseUrl, secretKey }: Env): Promise<void> {
  const service = createClient<Database>(supabaseUrl, secretKey, withoutSession);
  const until = Date.now() + longestMs;
  try {
    while ((await removeSome(service)) && Date.now() < until);
  } catch (error) {
    log({ event: "files not removed", reason: error instanceof Error ? error.message : "unknown" });
  }
}

/** Whether there may be more. */
async function removeSome(service: SupabaseClient<Database>): Promise<boolean> {
  const { data: discarded } = await service.rpc("discarded_files", { max_rows: atOnce }).throwOnError();
  for (const [bucket, files] of Map.groupBy(discarded, (file) => file.bucket)) {
    const paths = files.map(({ path }) => path);
    const { error } = await service.storage.from(bucket).remove(paths);
    if (error) throw error;
    await service.rpc("forget_discarded_files", { bucket, paths }).throwOnError();
  }
  return discarded.length === atOnce;
}
