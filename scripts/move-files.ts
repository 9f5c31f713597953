import { createClient, type SupabaseClient } from "@supabase/supabase-js";
import type { Sql } from "postgres";

export interface Place {
  url: string;
  /** Key of role service_role. */
  secretKey: string;
}

interface StoredObject {
  bucket: string;
  name: string;
  /** How long browsers may keep it. */
  seconds: string | null;
}

type Storage = SupabaseClient["storage"];

const atOnce = 4;

const storageOf = ({ url, secretKey }: Place): Storage =>
  createClient(url, secretKey, { auth: { persistSession: false, autoRefreshToken: false } }).storage;

/** Hands every file over through the two Storage services, under its own name; one that is there already is replaced. Returns how many. */
export async function moveFiles(sql: Sql, source: Place, target: Place): Promise<number> {
  const objects = await sql<StoredObject[]>`
    select bucket_id as bucket, name, substring(metadata ->> 'cacheControl' from '[0-9]+') as seconds from storage.objects order by 1, 2`;
  const [from, to] = [storageOf(source), storageOf(target)];
  const left = [...objects];
  const work = async () => {
    for (let object = left.pop(); object; object = left.pop()) await moveFile(from, to, object);
  };
  await Promise.all(Array.from({ length: atOnce }, work));
  return objects.length;
}

async function moveFile(from: Storage, to: Storage, { bucket, name, seconds }: StoredObject): Promise<void> {
  const { data, error } = await from.from(bucket).download(name);
  if (error) throw new Error(`${bucket}/${name} cannot be read: ${error.message}`);
  const caching = seconds === null ? {} : { cacheControl: seconds };
  const bytes = await data.arrayBuffer(); // of a form, which a Blob becomes, the embedded Storage takes the bytes alone
  const sent = await to.from(bucket).upload(name, bytes, { contentType: data.type, upsert: true, ...caching });
  if (sent.error) throw new Error(`${bucket}/${name} cannot be stored at the target: ${sent.error.message}`);
}
