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

  login                       keep a key: from TIDINGS_KEY, from stdin, or asked for
  logout                      forget it
  whoami                      which Tidings, which key, and whether it works
  publish <file.md | ->       publish a post; "-" reads stdin
  draft <file.md | ->         the same as a draft
  import <folder>             every .md file in it as a draft
  export --markdown <folder>  every post as a .md file
  export --format <form>      all posts as one file: markdown (a zip, with images), changelog or feed

Options
  --url <address>             of your Tidings (or TIDINGS_URL)
  --title <words>             else title: in the file, else its first "# heading"
  --tags <one,two>            names; what is not there yet is made
  --external-id <name>        what you call the post, such as v1.2.0: the same again changes that post
  --summary <words>  --slug <address>  --no-notify
  --schedule <time>           publish it then: 2026-12-01T09:00:00Z
  --draft                     publish: as a draft after all
  --section <version>         only what a CHANGELOG.md says of this version
  --output <file>             export: where to; "-" is stdout
  --publish                   import: published, unless a file says status: draft
  --json                      print the answer as JSON
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

/** Runs a command; answers the exit code. `io` is what a process has, and `wait` for tests. */
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
  if (run === undefined) throw new Failure(`There is no command ${name}. tidings --help lists them.`, exitCodes.usage);
  await run(rest, values, io);
}

function parsed(args) {
  try {
    return parseArgs({ args, options, allowPositionals: true, strict: true });
  } catch (error) {
    throw new Failure(`${error.message}\nRun tidings --help to see what there is.`, exitCodes.usage);
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
  if (!given) throw new Failure("There is no key: run tidings login, or set TIDINGS_KEY", exitCodes.key);
  const address = urlOf(values, io, kept);
  if (!address) throw new Failure("Which Tidings? Say --url https://…, or set TIDINGS_URL", exitCodes.usage);
  const url = originOf(address);
  // A key that was kept for one Tidings is not shown to another.
  if (!io.env.TIDINGS_KEY && url !== kept.url)
    throw new Failure(`The kept key is for ${kept.url}. Run tidings login --url ${url}.`, exitCodes.key);
  const key = requireKey(given);
  return { key, api: new Api({ url, key }, io.wait && { wait: io.wait }) };
}

async function login(_rest, values, io) {
  const kept = await readSettings(io.env).catch(() => ({}));
  const address = urlOf(values, io, kept);
  if (!address) throw new Failure("Which Tidings? tidings login --url https://tidings.example", exitCodes.usage);
  const url = originOf(address);
  const key = requireKey(io.env.TIDINGS_KEY || (io.stdin.isTTY ? await askedFor(io) : await textOf(io.stdin)));
  await reads(new Api({ url, key }, io.wait && { wait: io.wait }));
  const file = await keepSettings(io.env, { url, key });
  io.stdout.write(`Signed in to ${url} with ${shownKey(key)}, kept in ${file}\n`);
}

async function logout(_rest, _values, io) {
  await forgetSettings(io.env);
  io.stdout.write("The key is forgotten here. It works until it is revoked under Developers.\n");
}

/** Whether the key reads posts; throws when it is no key at all. */
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
      : `${answer.url} with ${answer.key}; the key works${canRead ? "" : ", but cannot read posts"}\n`,
  );
}

const textOf = async (stream) => {
  const chunks = [];
  for await (const chunk of stream) chunks.push(chunk);
  return Buffer.concat(chunks.map((chunk) => Buffer.from(chunk))).toString("utf8");
};

/** Asks without showing what is typed. */
async function askedFor({ stdin, stdout }) {
  stdout.write("API key (it is not shown): ");
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
    throw new Failure("A draft has no time: leave out --draft or --schedule", exitCodes.usage);
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

/** With a name of its own a post is one, however often it is sent. */
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
    throw new Failure(error.code === "ENOENT" ? `There is no file ${file}` : `${file} cannot be read: ${error.message}`, exitCodes.usage);
  });

/** Every Markdown file of a folder. Their names are the posts' names: the same again changes what is there. Readers are told of none. */
async function take([folder, ...more], values, io) {
  if (folder === undefined || more.length > 0) throw new Failure("Which folder?", exitCodes.usage);
  const entries = await readdir(folder, { recursive: true, withFileTypes: true }).catch((error) => {
    throw new Failure(
      error.code === "ENOENT" ? `There is no folder ${folder}` : `${folder} cannot be read: ${error.message}`,
      exitCodes.usage,
    );
  });
  const files = entries
    .filter((entry) => entry.isFile() && /\.(?:md|markdown)$/i.test(entry.name))
    .map((entry) => path.join(entry.parentPath ?? entry.path, entry.name))
    .sort();
  if (files.length === 0) throw new Failure(`${folder} holds no .md files`);
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
  if (failed > 0) throw new Failure(`${failed} of ${files.length} files were not imported; the others were. Mend them and run it again.`);
}

function importedStatus({ status, date, published_at: given }, isPublished) {
  if (!isPublished || status === "draft") return { status: "draft" }; // what readers see already stays as it is, and is said
  const time = given ?? date;
  return { status: "published", ...(typeof time === "string" && new Date(time) < new Date() && { published_at: timeOf(time) }) };
}

const forms = { markdown: "posts.zip", changelog: "CHANGELOG.md", feed: "posts.feed.json" };

/** All posts as one file, piece by piece. It has its name once it is whole: what breaks off leaves nothing, and what was there before stays. */
async function giveFile(values, io) {
  const { format } = values;
  if (values.markdown) throw new Failure("Say --format or --markdown, not both", exitCodes.usage);
  if (!Object.hasOwn(forms, format))
    throw new Failure(`There is no form ${format}. Use ${Object.keys(forms).join(", ")}.`, exitCodes.usage);
  const output = values.output ?? forms[format];
  const { api } = await apiOf(values, io);
  const { body } = await api.file(`/api/v1/export?format=${format}`);
  if (output === "-") {
    try {
      for await (const piece of body) if (!io.stdout.write(piece)) await once(io.stdout, "drain");
    } catch (error) {
      throw brokenOff(error, "What was written is not whole");
    }
    return;
  }
  const unfinished = `${output}.part-${process.pid}`;
  try {
    const file = await open(unfinished, "wx").catch(async (error) => {
      await body.cancel();
      throw error;
    });
    await pipeline(body, file.createWriteStream()); // the file is there before this begins: however early it breaks off, it can be taken away
    await rename(unfinished, output);
  } catch (error) {
    await rm(unfinished, { force: true });
    throw error.syscall && error.path
      ? new Failure(`${output} cannot be written: ${error.message}`, exitCodes.usage)
      : brokenOff(error, "Nothing was kept");
  }
  io.stdout.write(`All posts in ${output}\n`);
}

const brokenOff = (error, left) =>
  new Failure(`The export broke off (${error.cause?.message ?? error.message}). ${left}.`, exitCodes.unreachable);

async function give(_rest, values, io) {
  if (values.format !== undefined) return await giveFile(values, io);
  if (!values.markdown)
    throw new Failure("Where to? tidings export --markdown <folder>, or --format markdown --output posts.zip", exitCodes.usage);
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
