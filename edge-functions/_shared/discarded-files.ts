import type { SupabaseClient } from "@supabase/supabase-js";
import type { Database } from "#contract/database.ts";
import { serviceClient } from "./clients.ts";
import type { Env } from "./env.ts";
import { log } from "./log.ts";

const atOnce = 100;
/** Time limit, as a deleting user waits for this. */
const longestMs = 3_000;

export async function removeDiscardedFiles(env: Env): Promise<void> {
  const service = serviceClient(env);
  const until = Date.now() + longestMs;
  try {
    while ((await removeSome(service)) && Date.now() < until);
  } catch (error) {
    log({ event: "files not removed", reason: error instanceof Error ? error.message : "unknown" });
  }
}

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
