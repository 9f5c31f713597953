import { createClient, type SupabaseClient } from "@supabase/supabase-js";
import fs from "node:fs";
import path from "node:path";
import postgres, { type Sql } from "postgres";
import { z } from "zod";
import { adoptFormerNames } from "../supabase/local/former-names.ts";
import { moveRows, obstacles } from "../supabase/local/service/move-rows.ts";

/**
 * `npm run move:hosted` moves a running stack's people, content and files to an empty hosted project of the same version
 * (docs/self-hosting.md). Source: TIDINGS_DATA_DIR. Target: environment, because other users can read arguments.
 */
const environment = z.object({
  TIDINGS_DATA_DIR: z.string().default(".data"),
  TIDINGS_TARGET_DB_URL: z.string({ error: "is missing: the project's connection string as role postgres" }).min(1),
  TIDINGS_TARGET_SUPABASE_URL: z.url({ error: "is missing: the project's address, https://{ref}.supabase.co" }),
  TIDINGS_TARGET_SECRET_KEY: z.string({ error: "is missing: a secret key of the project" }).min(1),
});

const stackFile = z.object({ url: z.string(), dbUrl: z.string(), secretKey: z.string() });

async function move(): Promise<void> {
  adoptFormerNames();
  const parsed = environment.safeParse(process.env);
  if (!parsed.success) throw new Error(parsed.error.issues.map(({ path: [name], message }) => `${String(name)} ${message}.`).join("\n"));
  const { TIDINGS_TARGET_DB_URL: targetUrl, TIDINGS_TARGET_SUPABASE_URL: url, TIDINGS_TARGET_SECRET_KEY: secretKey } = parsed.data;
  const stack = readStack(parsed.data.TIDINGS_DATA_DIR);
  const options = { max: 2, onnotice: () => {}, connect_timeout: 10 };
  const [source, target] = [postgres(stack.dbUrl, options), postgres(targetUrl, { ...options, prepare: false })];
  try {
    const problems = await obstacles(source, target);
    if (problems.length > 0) throw new Error(problems.join("\n"));
    // Order: a row without its file would show, a file without its row does not.
    const files = await moveFiles(source, stack, { url, secretKey });
    const counts = await moveRows(source, target);
    for (const [table, count] of Object.entries(counts)) if (count > 0) console.log(`${String(count).padStart(8)}  ${table}`);
    console.log(`${String(files).padStart(8)}  files\n\nEverything was moved. People sign in with their current passwords.`);
  } finally {
    await Promise.all([source.end(), target.end()]);
  }
}

function readStack(dataDir: string): z.output<typeof stackFile> {
  const file = path.resolve(dataDir, "stack.json");
  if (!fs.existsSync(file)) throw new Error(`Tidings isn't running on ${path.resolve(dataDir)}; start it to move it.`);
  return stackFile.parse(JSON.parse(fs.readFileSync(file, "utf8")));
}

interface Place {
  url: string;
  secretKey: string;
}

interface StoredObject {
  bucket: string;
  name: string;
  /** Cache time of browsers. */
  seconds: string | null;
}

type Storage = SupabaseClient["storage"];

const atOnce = 4;

const storageOf = ({ url, secretKey }: Place): Storage =>
  createClient(url, secretKey, { auth: { persistSession: false, autoRefreshToken: false } }).storage;

/** Copies all files through the two Storage services, replacing existing ones. Returns their number. */
async function moveFiles(sql: Sql, source: Place, target: Place): Promise<number> {
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
  if (error) throw new Error(`${bucket}/${name} can't be read: ${error.message}`);
  const caching = seconds === null ? {} : { cacheControl: seconds };
  const bytes = await data.arrayBuffer(); // the embedded Storage would take a Blob as a form
  const sent = await to.from(bucket).upload(name, bytes, { contentType: data.type, upsert: true, ...caching });
  if (sent.error) throw new Error(`${bucket}/${name} can't be stored at the target: ${sent.error.message}`);
}

try {
  await move();
} catch (error) {
  console.error((error as Error).message);
  process.exitCode = 1;
}
