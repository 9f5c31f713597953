import { createInterface } from "node:readline/promises";
import { Writable } from "node:stream";
import { Api } from "./api.js";
import { exitCodes, Failure } from "./errors.js";
import { print, textOf } from "./output.js";
import { forgetSettings, keepSettings, originOf, readSettings, requireKey, shownKey } from "./settings.js";

const urlOf = (values, io, kept) => values.url ?? (io.env.TIDINGS_URL || kept.url);

export async function apiOf(values, io) {
  const kept = await readSettings(io.env);
  const given = io.env.TIDINGS_KEY || kept.key;
  if (!given) throw new Failure("No API key. Run tidings login, or set TIDINGS_KEY", exitCodes.key);
  const address = urlOf(values, io, kept);
  if (!address) throw new Failure("No URL. Use --url https://…, or set TIDINGS_URL", exitCodes.usage);
  const url = originOf(address);
  // The saved key is sent only to its own origin.
  if (!io.env.TIDINGS_KEY && url !== kept.url)
    throw new Failure(`The saved key is for ${kept.url}. Run tidings login --url ${url}.`, exitCodes.key);
  const key = requireKey(given);
  return { key, api: new Api({ url, key }, io.wait && { wait: io.wait }) };
}

export async function login(_rest, values, io) {
  const kept = await readSettings(io.env).catch(() => ({}));
  const address = urlOf(values, io, kept);
  if (!address) throw new Failure("No URL. Use tidings login --url https://tidings.example", exitCodes.usage);
  const url = originOf(address);
  const key = requireKey(io.env.TIDINGS_KEY || (io.stdin.isTTY ? await asked(io, "API key (hidden): ") : await textOf(io.stdin)));
  await reads(new Api({ url, key }, io.wait && { wait: io.wait }));
  const file = await keepSettings(io.env, { url, key });
  print(io, values, { url, key: shownKey(key), file }, `Signed in to ${url} with ${shownKey(key)}, saved in ${file}`);
}

export async function logout(_rest, values, io) {
  await forgetSettings(io.env);
  print(io, values, { signed_out: true }, "Signed out. The key works until you revoke it in the settings, API keys.");
}

/** True if the key can read posts; throws if it's invalid. */
async function reads(api) {
  try {
    await api.get("/api/v1/posts?limit=1");
    return true;
  } catch (error) {
    if (error instanceof Failure && error.details.scope === "posts:read") return false;
    throw error;
  }
}

export async function whoami(_rest, values, io) {
  const { api, key } = await apiOf(values, io);
  const canRead = await reads(api);
  const answer = { url: api.origin, key: shownKey(key), reads: canRead };
  print(io, values, answer, `${answer.url} with ${answer.key}; the key works${canRead ? "" : ", but can't read posts"}`);
}

export async function asked({ stdin, stdout }, question) {
  stdout.write(question);
  const silent = new Writable({ write: (_chunk, _encoding, done) => done() });
  const lines = createInterface({ input: stdin, output: silent, terminal: true });
  try {
    return await lines.question("");
  } finally {
    lines.close();
    stdout.write("\n");
  }
}
