import { chmod, mkdir, readFile, rm, writeFile } from "node:fs/promises";
import { homedir } from "node:os";
import path from "node:path";
import { exitCodes, Failure } from "./errors.js";

function settingsFile(env) {
  const folder = env.XDG_CONFIG_HOME || path.join(env.HOME || homedir(), ".config");
  return path.join(folder, "tidings", "config.json");
}

export async function readSettings(env) {
  try {
    return JSON.parse(await readFile(settingsFile(env), "utf8"));
  } catch (error) {
    if (error.code === "ENOENT") return {};
    throw new Failure(`couldn't read ${settingsFile(env)}: ${error.message}. Run tidings login again.`, exitCodes.key);
  }
}

export async function keepSettings(env, settings) {
  const file = settingsFile(env);
  await mkdir(path.dirname(file), { recursive: true, mode: 0o700 });
  await writeFile(file, `${JSON.stringify(settings, null, 2)}\n`, { mode: 0o600 });
  await chmod(file, 0o600); // an existing file kept its mode
  return file;
}

export const forgetSettings = (env) => rm(settingsFile(env), { force: true });

/** Origin only. Requires https except for localhost, so the key is never sent unencrypted. */
export function originOf(address) {
  if (!URL.canParse(address)) throw new Failure(`${address} isn't a valid URL, such as https://tidings.example`, exitCodes.usage);
  const { protocol, hostname, origin } = new URL(address);
  const isHere = hostname === "localhost" || hostname === "127.0.0.1" || hostname === "[::1]";
  if (protocol !== "https:" && !(protocol === "http:" && isHere)) {
    throw new Failure("The URL must start with https://, so the key isn't sent unencrypted", exitCodes.usage);
  }
  return origin;
}

/** Checks the prefix, which catches other pasted secrets. */
export function requireKey(text) {
  const key = text.trim();
  if (!/^tdk_[\w-]{16,200}$/.test(key)) throw new Failure("This isn't a Tidings API key: those start with tdk_", exitCodes.key);
  return key;
}

export const shownKey = (key) => `${key.slice(0, 8)}…${key.slice(-4)}`;
