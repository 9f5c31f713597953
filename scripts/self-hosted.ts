import { mkdirSync, rmSync, writeFileSync } from "node:fs";
import path from "node:path";
import { planDeployment } from "./deploy-plan.ts";
import { selfHostedFiles } from "./self-hosted-files.ts";
import { adoptFormerNames } from "../supabase/local/former-names.ts";

/** `npm run self-hosted -- <folder>` writes functions and settings into the folder of Supabase's Docker setup (docs/self-hosting.md). */
const root = path.resolve(import.meta.dirname, "..");
const [folder] = process.argv.slice(2);
adoptFormerNames();
const ofHosted = /^SUPABASE_/; // a hosted project's variables, not needed here
const problems = planDeployment(root, process.env).problems.filter((problem) => !ofHosted.test(problem));

if (!folder) fail("Please give the folder with docker-compose.yml: npm run self-hosted -- <folder>");
else if (problems.length > 0) fail(problems.join("\n"));
else {
  const files = selfHostedFiles(root, process.env);
  rmSync(path.join(folder, "volumes/functions/tidings"), { recursive: true, force: true });
  for (const [name, text] of files) {
    mkdirSync(path.dirname(path.join(folder, name)), { recursive: true });
    writeFileSync(path.join(folder, name), text, name.endsWith(".yml") ? { mode: 0o600 } : {}); // security: it may contain keys
  }
  console.log(`${files.size} files are in ${folder}. Then: docker compose -f docker-compose.yml -f docker-compose.tidings.yml up -d`);
}

function fail(message: string): void {
  console.error(message);
  process.exitCode = 1;
}
