import { createClient } from "@supabase/supabase-js";
import { withoutSession } from "./clients.ts";
import type { Env } from "./env.ts";
import { log } from "./log.ts";

/** What public.discarded_files gives. */
interface Discarded {
  bucket: string;
  path: string;
}

/**
 * Removes files that nothing shows any more, up to 100 at a time, through the Storage service: SQL may not (migration post_images). The
 * second place that speaks with the service role, because what a deleted post or workspace leaves behind belongs to nobody. Calls that make
 * such files, and those that store new ones, do this last. Never fails: what stays waits for the next of them.
 */
export async function removeDiscardedFiles({ supabaseUrl, secretKey }: Env): Promise<void> {
  const service = createClient(supabaseUrl, secretKey, withoutSession);
  try {
    const { data } = await service.rpc("discarded_files").throwOnError();
    for (const [bucket, files] of Map.groupBy(data as Discarded[], (file) => file.bucket)) {
      const paths = files.map(({ path }) => path);
      const { error } = await service.storage.from(bucket).remove(paths);
      if (error) throw error;
      await service.rpc("forget_discarded_files", { bucket, paths }).throwOnError();
    }
  } catch (error) {
    log({ event: "files not removed", reason: error instanceof Error ? error.message : "unknown" });
  }
}
