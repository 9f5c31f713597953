import { once } from "node:events";
import { mkdir, open, readdir, readFile, rename, rm, writeFile } from "node:fs/promises";
import path from "node:path";
import { createInterface } from "node:readline/promises";
import { Writable } from "node:stream";
import { pipeline } from "node:stream/promises";
import { parseArgs } from "node:util";
import { Api } from "./api.js";
import { exitCodes, Failure } from "./errors.js";
import { forgetSettings, keepSettings, originOf, readSettings, requireKey, shownKey } from "./settings.js";
import { postOf, timeOf, withImages } from "./post.js";

const usage = `Usage: tidings <command> [options]

  login                       save an API key: from TIDINGS_KEY, stdin or a prompt
  logout                      delete the saved key
  whoami                      show the URL and the key, and check that it works
  publish <file.md | ->       publish a post; "-" reads stdin
  draft <file.md | ->         save a post as a draft
  import <folder>             import every .md file as a draft
  export --markdown <folder>  export every post as a .md file
  export --format <format>    export all posts as one file: markdown (a zip with images), changelog or feed

Options
  --url <url>                 your Tidings (or TIDINGS_URL)
  --title <title>             default: title in the front matter, or the first "# heading"
  --tags <one,two>            names; missing tags are created
  --external-id <id>          your own id, such as v1.2.0: publishing again updates that post
  --summary <text>  --slug <slug>  --no-notify
  --schedule <time>           publish at 2026-12-01T09:00:00Z
  --draft                     publish: save as a draft
  --section <version>         use only this version of a CHANGELOG.md
  --output <file>             export: target file; "-" is stdout
  --publish                   import: publish, except files with status: draft
  --json                      print the response as JSON
  --help  --version

docs/command-line.md has examples, front matter and exit codes.
`;

const options = {
  url: { type: "string" },
  title: { type: "string" },
  tags: { type: "string" },
  "external-id": { type: "string" },
  summary: { type: "string" },
  slug: { type: "string" },
  "no-notify": { type: "boolean" },
  schedule: { type: "string" },
  draft: { type: "boolean" },
  section: { type: "string" },
  publish: { type: "boolean" },
  markdown: { type: "string" },
  format: { type: "string" },
  output: { type: "string" },
  json: { type: "boolean" },
  help: { type: "boolean", short: "h" },
  version: { type: "boolean" },
};

/** Returns the exit code. `io` is the process, or a fake in tests. */
export async function run(args, io) {
  try {
    await command(args, io);
    return exitCodes.done;
  } catch (error) {
    if (!(error instanceof Failure)) throw error;
    io.stderr.write(`tidings: ${error.message}\n`);
    return error.exitCode;
  }
}

async function command(args, io) {
  const { values, positionals } = parsed(args);
  const [name, ...rest] = positionals;
  if (values.version)
    return io.stdout.write(`${JSON.parse(await readFile(new URL("../package.json", import.meta.url), "utf8")).version}\n`);
  if (values.help || name === undefined || name === "help") return io.stdout.write(usage);
  const run = Object.hasOwn(commands, name) ? commands[name] : undefined;
  if (run === undefined) throw new Failure(`There's no command ${name}. tidings --help lists them.`, exitCodes.usage);
  await run(rest, values, io);
}

function parsed(args) {
  try {
    return parseArgs({ args, options, allowPositionals: true, strict: true });
  } catch (error) {
    throw new Failure(`${error.message}\nRun tidings --help for usage.`, exitCodes.usage);
  }
}

const commands = {
  login,
  logout,
  whoami,
  publish: send,
  draft: (rest, values, io) => send(rest, { ...values, draft: true }, io),
  import: take,
  export: give,
};

const urlOf = (values, io, kept) => values.url ?? (io.env.TIDINGS_URL || kept.url);

async function apiOf(values, io) {
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

async function login(_rest, values, io) {
  const kept = await readSettings(io.env).catch(() => ({}));
  const address = urlOf(values, io, kept);
  if (!address) throw new Failure("No URL. Use tidings login --url https://tidings.example", exitCodes.usage);
  const url = originOf(address);
  const key = requireKey(io.env.TIDINGS_KEY || (io.stdin.isTTY ? await askedFor(io) : await textOf(io.stdin)));
  await reads(new Api({ url, key }, io.wait && { wait: io.wait }));
  const file = await keepSettings(io.env, { url, key });
  io.stdout.write(`Signed in to ${url} with ${shownKey(key)}, saved in ${file}\n`);
}

async function logout(_rest, _values, io) {
  await forgetSettings(io.env);
  io.stdout.write("Signed out. The key works until you revoke it in the settings, API keys.\n");
}

/** True if the key can read posts; throws if it's invalid. */
async function reads(api) {
  try {
    await api.get("/api/v1/posts?limit=1");
    return true;
  } catch (error) {
    if (error instanceof Failure && error.message.includes("posts:read")) return false;
    throw error;
  }
}

async function whoami(_rest, values, io) {
  const { api, key } = await apiOf(values, io);
  const canRead = await reads(api);
  const answer = { url: api.origin, key: shownKey(key), reads: canRead };
  io.stdout.write(
    values.json
      ? `${JSON.stringify(answer)}\n`
      : `${answer.url} with ${answer.key}; the key works${canRead ? "" : ", but can't read posts"}\n`,
  );
}

const textOf = async (stream) => {
  const chunks = [];
  for await (const chunk of stream) chunks.push(chunk);
  return Buffer.concat(chunks.map((chunk) => Buffer.from(chunk))).toString("utf8");
};

async function askedFor({ stdin, stdout }) {
  stdout.write("API key (hidden): ");
  const silent = new Writable({ write: (_chunk, _encoding, done) => done() });
  const lines = createInterface({ input: stdin, output: silent, terminal: true });
  try {
    return await lines.question("");
  } finally {
    lines.close();
    stdout.write("\n");
  }
}

async function send([file, ...more], values, io) {
  if (file === undefined || more.length > 0) throw new Failure('Which file? One .md file, or "-" for stdin', exitCodes.usage);
  if (values.draft && values.schedule !== undefined)
    throw new Failure("A draft has no time: remove --draft or --schedule", exitCodes.usage);
  const schedule = values.schedule === undefined ? undefined : timeOf(values.schedule);
  const text = file === "-" ? await textOf(io.stdin) : await fileText(file);
  const { post, externalId, folder } = await postOf({ file, text }, values);
  const { api } = await apiOf(values, io);
  const markdown = await withImages(post.markdown, folder, api);
  const status = values.draft
    ? { status: "draft" }
    : schedule === undefined
      ? { status: "published" }
      : { status: "scheduled", publish_at: schedule };
  const { post: made } = await sent(api, externalId, { ...post, markdown, ...status });
  io.stdout.write(values.json ? `${JSON.stringify(made)}\n` : `${said(made)}\n`);
}

const sent = (api, externalId, post) =>
  externalId === undefined
    ? api.post("/api/v1/posts", post)
    : api.put(`/api/v1/posts/by-external-id/${encodeURIComponent(externalId)}`, post);

function said({ title, status, url, publish_at: time }) {
  const what = { published: "Published", scheduled: `Scheduled for ${time}`, draft: "Draft", archived: "Archived" }[status];
  return `${what}: ${title}${url ? `\n${url}` : ""}`;
}

const fileText = (file) =>
  readFile(file, "utf8").catch((error) => {
    throw new Failure(error.code === "ENOENT" ? `There's no file ${file}` : `couldn't read ${file}: ${error.message}`, exitCodes.usage);
  });

/** File names become external ids, so a repeated import updates. Subscribers aren't emailed. */
async function take([folder, ...more], values, io) {
  if (folder === undefined || more.length > 0) throw new Failure("Which folder?", exitCodes.usage);
  const entries = await readdir(folder, { recursive: true, withFileTypes: true }).catch((error) => {
    throw new Failure(
      error.code === "ENOENT" ? `There's no folder ${folder}` : `couldn't read ${folder}: ${error.message}`,
      exitCodes.usage,
    );
  });
  const files = entries
    .filter((entry) => entry.isFile() && /\.(?:md|markdown)$/i.test(entry.name))
    .map((entry) => path.join(entry.parentPath ?? entry.path, entry.name))
    .sort();
  if (files.length === 0) throw new Failure(`${folder} has no .md files`);
  const { api } = await apiOf(values, io);
  const images = new Map();
  let failed = 0;
  for (const file of files) {
    try {
      const {
        post,
        externalId,
        folder: beside,
        fields,
      } = await postOf({ file, text: await fileText(file) }, { tags: values.tags, "no-notify": true });
      const name =
        externalId ??
        path
          .relative(folder, file)
          .replaceAll(path.sep, "/")
          .replace(/\.(?:md|markdown)$/i, "");
      const markdown = await withImages(post.markdown, beside, api, images);
      const { post: made } = await sent(api, name, { ...post, markdown, ...importedStatus(fields, values.publish) });
      io.stdout.write(`${file}: ${made.status}\n`);
    } catch (error) {
      if (!(error instanceof Failure) || error.exitCode >= exitCodes.key) throw error;
      failed++;
      io.stderr.write(`${file}: ${error.message}\n`);
    }
  }
  if (failed > 0) throw new Failure(`${failed} of ${files.length} files weren't imported; the others were. Fix them and run it again.`);
}

function importedStatus({ status, date, published_at: given }, isPublished) {
  if (!isPublished || status === "draft") return { status: "draft" };
  const time = given ?? date;
  return { status: "published", ...(typeof time === "string" && new Date(time) < new Date() && { published_at: timeOf(time) }) };
}

const forms = { markdown: "posts.zip", changelog: "CHANGELOG.md", feed: "posts.feed.json" };

/** Streams to a temporary file that is renamed when complete. */
async function giveFile(values, io) {
  const { format } = values;
  if (values.markdown) throw new Failure("Use --format or --markdown, not both", exitCodes.usage);
  if (!Object.hasOwn(forms, format))
    throw new Failure(`There's no format ${format}. Use ${Object.keys(forms).join(", ")}.`, exitCodes.usage);
  const output = values.output ?? forms[format];
  const { api } = await apiOf(values, io);
  const { body } = await api.file(`/api/v1/export?format=${format}`);
  if (output === "-") {
    try {
      for await (const piece of body) if (!io.stdout.write(piece)) await once(io.stdout, "drain");
    } catch (error) {
      throw brokenOff(error, "The output is incomplete");
    }
    return;
  }
  const unfinished = `${output}.part-${process.pid}`;
  try {
    const file = await open(unfinished, "wx").catch(async (error) => {
      await body.cancel();
      throw error;
    });
    await pipeline(body, file.createWriteStream()); // the file exists before streaming starts, so it can be removed on failure
    await rename(unfinished, output);
  } catch (error) {
    await rm(unfinished, { force: true });
    throw error.syscall && error.path
      ? new Failure(`couldn't write ${output}: ${error.message}`, exitCodes.usage)
      : brokenOff(error, "Nothing was saved");
  }
  io.stdout.write(`All posts in ${output}\n`);
}

const brokenOff = (error, left) =>
  new Failure(`The export stopped (${error.cause?.message ?? error.message}). ${left}.`, exitCodes.unreachable);

async function give(_rest, values, io) {
  if (values.format !== undefined) return await giveFile(values, io);
  if (!values.markdown)
    throw new Failure("Missing target. Use tidings export --markdown <folder>, or --format markdown --output posts.zip", exitCodes.usage);
  const { api } = await apiOf(values, io);
  await mkdir(values.markdown, { recursive: true });
  let count = 0;
  for (let cursor = ""; cursor !== null;) {
    const { posts, next_cursor: next } = await api.get(`/api/v1/posts?limit=100${cursor && `&cursor=${encodeURIComponent(cursor)}`}`);
    for (const { id, slug } of posts) {
      const text = await api.get(`/api/v1/posts/${id}`, { accept: "text/markdown" });
      await writeFile(path.join(values.markdown, `${slug.replace(/[^\p{L}\p{N}_-]/gu, "-") || id}.md`), text);
      count++;
    }
    cursor = next;
  }
  io.stdout.write(`${count} ${count === 1 ? "post" : "posts"} in ${values.markdown}\n`);
}
