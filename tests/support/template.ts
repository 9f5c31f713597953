import { execFile } from "node:child_process";
import fs from "node:fs";
import os from "node:os";
import path from "node:path";
import { promisify } from "node:util";
import { type Keys, newKeys } from "../../supabase/local/keys.ts";

export const makeTemplateFolder = (): string => fs.mkdtempSync(path.join(os.tmpdir(), "tidings-template-"));

/** A copy of the folder that TIDINGS_TEMPLATE names, with new keys, otherwise empty: initdb and migrations take most of a start. */
export async function newDataFolder(folder = fs.mkdtempSync(path.join(os.tmpdir(), "tidings-"))): Promise<string> {
  const template = process.env.TIDINGS_TEMPLATE;
  if (!template) return folder;
  fs.mkdirSync(folder, { recursive: true });
  await promisify(execFile)("cp", ["-pPR", `${template}/.`, folder]); // keeps the owner: as root, Postgres runs as another user
  const keysFile = path.join(folder, "keys.json");
  const { adminPassword } = JSON.parse(fs.readFileSync(keysFile, "utf8")) as Keys; // the password stored in the database
  fs.writeFileSync(keysFile, JSON.stringify({ ...newKeys(), adminPassword }), { mode: 0o600 });
  return folder;
}
