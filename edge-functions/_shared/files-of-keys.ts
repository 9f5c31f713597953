import { createClient } from "@supabase/supabase-js";
import type { Database } from "#contract/database.ts";
import { fromStorage } from "./backend-errors.ts";
import { withoutSession } from "./clients.ts";
import type { Env } from "./env.ts";

/**
 * Stores an image for a key. One of the places that speak with the service role: Storage knows people by their tokens, and a key has none. So the
 * caller has asked the database before whether this key may write, and the folder is the key's own workspace.
 */
export async function storeForKey(
  { supabaseUrl, secretKey }: Env,
  path: string,
  { bytes, contentType }: { bytes: Uint8Array; contentType: string },
): Promise<void> {
  const { storage } = createClient<Database>(supabaseUrl, secretKey, withoutSession);
  const { error } = await storage.from("post-images").upload(path, bytes, { contentType, cacheControl: "31536000" });
  if (error) throw fromStorage(error);
}
