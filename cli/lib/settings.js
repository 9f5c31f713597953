import { chmod, mkdir, readFile, rm, writeFile } from "node:fs/promises";
import { homedir } from "node:os";
import path from "node:path";
import { exitCodes, Failure } from "./errors.js";

/** Where the key is kept: for its owner alone. */
function settingsFile(env) {
  const folder = env.XDG_CONFIG_HOME || path.join(env.HOME || homedir(), ".config");
  return path.join(folder, "tidings", "config.json");
}

export async function readSettings(env) {
  try {
    return JSON.parse(await readFile(settingsFile(env), "utf8"));
  } catch (error) {
    if (error.code === "ENOENT") return {};
    throw new Failure(`${settingsFile(env)} cannot be read: ${error.message}. Run tidings login again.`, exitCodes.key);
  }
}

export async function keepSettings(env, settings) {
  const file = settingsFile(env);
  await mkdir(path.dirname(file), { recursive: true, mode: 0o700 });
  await writeFile(file, `${JSON.stringify(settings, null, 2)}\n`, { mode: 0o600 });
  await chmod(file, 0o600); // a file that was there kept its mode
  return file;
}

export const forgetSettings = (env) => rm(settingsFile(env), { force: true });

/** `https://…`, without a path. A key goes over an open line to this machine only. */
export function originOf(address) {
  if (!URL.canParse(address)) throw new Failure(`${address} is no address. It looks like https://tidings.example`, exitCodes.usage);
  const { protocol, hostname, origin } = new URL(address);
  const isHere = hostname === "localhost" || hostname === "127.0.0.1" || hostname === "[::1]";
  if (protocol !== "https:" && !(protocol === "http:" && isHere)) {
    throw new Failure("The address has to begin with https://: the key would go over an open line", exitCodes.usage);
  }
  return origin;
}

/** What scanners look for in files; also what stands at the beginning when something else was pasted. */
export function requireKey(text) {
  const key = text.trim();
  if (!/^tdk_[\w-]{16,200}$/.test(key)) throw new Failure("This is no key of Tidings: one begins with tdk_", exitCodes.key);
  return key;
}

export const shownKey = (key) => `${key.slice(0, 8)}…${key.slice(-4)}`;
