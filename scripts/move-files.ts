import { createClient, type SupabaseClient } from "@supabase/supabase-js";
import type { Sql } from "postgres";

export interface Place {
  url: string;
  /** Key of role service_role. */
  secretKey: string;
}

const atOnce = 4;

const storageOf = ({ url, secretKey }: Place): SupabaseClient["storage"] =>
  createClient(url, secretKey, { auth: { persistSession: false, autoRefreshToken: false } }).storage;

/** Hands every file over through the two Storage services, under its own name; one that is there already is replaced. Returns how many. */
export async function moveFiles(sql: Sql, source: Place, target: Place): Promise<number> {
  const objects = await sql<{ bucket: string; name: string }[]>`select bucket_id as bucket, name from storage.objects order by 1, 2`;
  const [from, to] = [storageOf(source), storageOf(target)];
  const left = [...objects];
  const work = async () => {
    for (let object = left.pop(); object; object = left.pop()) await moveFile(from, to, object.bucket, object.name);
  };
  await Promise.all(Array.from({ length: atOnce }, work));
  return objects.length;
}

async function moveFile(from: SupabaseClient["storage"], to: SupabaseClient["storage"], bucket: string, name: string): Promise<void> {
  const { data, error } = await from.from(bucket).download(name);
  if (error) throw new Error(`${bucket}/${name} cannot be read: ${error.message}`);
  const sent = await to.from(bucket).upload(name, data, { contentType: data.type, upsert: true });
  if (sent.error) throw new Error(`${bucket}/${name} cannot be stored at the target: ${sent.error.message}`);
}
