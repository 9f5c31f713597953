import { execFile } from "node:child_process";
import fs from "node:fs";
import os from "node:os";
import path from "node:path";
import { promisify } from "node:util";
import { type Keys, newKeys } from "../../supabase/local/keys.ts";

export const makeTemplateFolder = (): string => fs.mkdtempSync(path.join(os.tmpdir(), "tidings-template-"));

/**
 * A new data folder, at a place of one's own where one is named; empty or, where TIDINGS_TEMPLATE names one, a copy of the data folder of a stack that was started once and stopped, with
 * keys of its own. A run of all tests makes such a template, since initdb and every migration cost more than all else in a start. Tests of
 * first starts choose their folder themselves and find it empty.
 */
export async function newDataFolder(folder = fs.mkdtempSync(path.join(os.tmpdir(), "tidings-"))): Promise<string> {
  const template = process.env.TIDINGS_TEMPLATE;
  if (!template) return folder;
  fs.mkdirSync(folder, { recursive: true });
  await promisify(execFile)("cp", ["-pPR", `${template}/.`, folder]); // keeps the owner: as root, Postgres is another user
  const keysFile = path.join(folder, "keys.json");
  const { adminPassword } = JSON.parse(fs.readFileSync(keysFile, "utf8")) as Keys; // the one that the database remembers
  fs.writeFileSync(keysFile, JSON.stringify({ ...newKeys(), adminPassword }), { mode: 0o600 });
  return folder;
}
