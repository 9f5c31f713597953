import { appendFile, readFile } from "node:fs/promises";
import { Readable, Writable } from "node:stream";
import { fileURLToPath } from "node:url";
import { linesOf } from "../cli/lib/errors.js";
import { run } from "../cli/lib/run.js";

/** Arguments and stdin of the command line for a release. */
export async function commandFor(env) {
  const event = env.GITHUB_EVENT_PATH ? JSON.parse(await readFile(env.GITHUB_EVENT_PATH, "utf8")) : {};
  const release = event.release ?? {};
  const tag = release.tag_name ?? (env.GITHUB_REF_TYPE === "tag" ? env.GITHUB_REF_NAME : undefined);
  const title = env.INPUT_TITLE || release.name || tag;
  const version = env.INPUT_VERSION || tag;
  const file = env.INPUT_CHANGELOG || env.INPUT_FILE || "-";
  if (env.INPUT_CHANGELOG && !version) throw new Error("Which version? This run has no tag: set the input version");
  if (file === "-" && !release.body?.trim()) throw new Error("This release has no notes. Write some, or set the input file or changelog");
  const isDraft = env.INPUT_DRAFT === "true" || (release.prerelease === true && !env.INPUT_SCHEDULE);
  const options = {
    title: file === "-" || env.INPUT_CHANGELOG ? title : env.INPUT_TITLE, // a separate file has its own title
    tags: env.INPUT_TAGS,
    "external-id": env.INPUT_EXTERNAL_ID || tag,
    summary: env.INPUT_SUMMARY,
    section: env.INPUT_CHANGELOG && version,
    schedule: isDraft ? "" : env.INPUT_SCHEDULE,
  };
  const args = Object.entries(options).flatMap(([name, value]) => (value ? [`--${name}=${value}`] : []));
  if (isDraft) args.push("--draft");
  if (env.INPUT_NOTIFY === "false") args.push("--no-notify");
  return { args: ["publish", file, "--json", ...args], text: file === "-" ? release.body : "" };
}

async function main(env) {
  const { args, text } = await commandFor(env);
  let out = "";
  const stdout = new Writable({
    write(chunk, _encoding, done) {
      out += chunk;
      done();
    },
  });
  const stderr = new Writable({
    write(chunk, _encoding, done) {
      process.stderr.write(`tidings: ${linesOf(JSON.parse(chunk))}\n`, done);
    },
  });
  const exitCode = await run(args, { env, stdin: Readable.from([text]), stdout, stderr });
  if (exitCode !== 0) return exitCode;
  const { id, url, status, title } = JSON.parse(out);
  if (env.GITHUB_OUTPUT) await appendFile(env.GITHUB_OUTPUT, `id=${id}\nurl=${url ?? ""}\nstatus=${status}\n`);
  process.stdout.write(`${status}: ${title}${url ? ` at ${url}` : ""}\n`);
  return 0;
}

if (import.meta.main ?? process.argv[1] === fileURLToPath(import.meta.url)) {
  try {
    process.exitCode = await main(process.env);
  } catch (error) {
    process.stderr.write(`tidings: ${error.message}\n`);
    process.exitCode = 2;
  }
}
