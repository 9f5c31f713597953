import fs from "node:fs";
import path from "node:path";
import postgres from "postgres";
import { z } from "zod";
import { moveFiles } from "./move-files.ts";
import { moveRows, obstacles } from "./move-rows.ts";

/**
 * `npm run move` carries a running stack's people, content and files to an empty hosted project with the same version
 * (docs/self-hosting.md). Where from: DATA_DIR; where to: the environment, because arguments can be read by everybody on the machine.
 */
const environment = z.object({
  DATA_DIR: z.string().default(".data"),
  TARGET_DB_URL: z.string({ error: "TARGET_DB_URL is missing: the project's connection string as role postgres" }).min(1),
  TARGET_SUPABASE_URL: z.url({ error: "TARGET_SUPABASE_URL is missing: the project's address, https://{ref}.supabase.co" }),
  TARGET_SECRET_KEY: z.string({ error: "TARGET_SECRET_KEY is missing: a secret key of the project" }).min(1),
});

const stackFile = z.object({ url: z.string(), dbUrl: z.string(), secretKey: z.string() });

try {
  await move();
} catch (error) {
  console.error((error as Error).message);
  process.exitCode = 1;
}

async function move(): Promise<void> {
  const parsed = environment.safeParse(process.env);
  if (!parsed.success) throw new Error(parsed.error.issues.map(({ message }) => `${message}.`).join("\n"));
  const { DATA_DIR: dataDir, TARGET_DB_URL: targetUrl, TARGET_SUPABASE_URL: url, TARGET_SECRET_KEY: secretKey } = parsed.data;
  const stack = readStack(dataDir);
  const options = { max: 2, onnotice: () => {}, connect_timeout: 10 };
  const [source, target] = [postgres(stack.dbUrl, options), postgres(targetUrl, { ...options, prepare: false })];
  try {
    const problems = await obstacles(source, target);
    if (problems.length > 0) throw new Error(problems.join("\n"));
    // files first: a row without its file would show, a file without its row does not
    const files = await moveFiles(source, stack, { url, secretKey });
    const counts = await moveRows(source, target);
    for (const [table, count] of Object.entries(counts)) if (count > 0) console.log(`${String(count).padStart(8)}  ${table}`);
    console.log(`${String(files).padStart(8)}  files\n\nEverything is there; people sign in with the passwords they have.`);
  } finally {
    await Promise.all([source.end(), target.end()]);
  }
}

function readStack(dataDir: string): z.output<typeof stackFile> {
  const file = path.resolve(dataDir, "stack.json");
  if (!fs.existsSync(file)) throw new Error(`Tidings is not running on ${path.resolve(dataDir)}; start it to move it.`);
  return stackFile.parse(JSON.parse(fs.readFileSync(file, "utf8")));
}
