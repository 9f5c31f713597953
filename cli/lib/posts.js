import { spawn } from "node:child_process";
import { once } from "node:events";
import { mkdtemp, readFile, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import path from "node:path";
import { apiOf } from "./account.js";
import { exitCodes, Failure } from "./errors.js";
import { fileText, print, textOf } from "./output.js";
import { fieldsOf, postOf, timeOf, withImages } from "./post.js";

const uuid = /^[\da-f]{8}(?:-[\da-f]{4}){3}-[\da-f]{12}$/i;

/** A post by its id or external id. */
const pathOf = (name) => `/api/v1/posts/${uuid.test(name) ? name : `by-external-id/${encodeURIComponent(name)}`}`;

function refuseMore(given, most) {
  if (given.length > most) throw new Failure(`Too many arguments: ${given.slice(most).join(" ")}`, exitCodes.usage);
}

function oneName(rest, most = 1) {
  if (rest.length === 0) throw new Failure("Which post? Its id or external id", exitCodes.usage);
  refuseMore(rest, most);
  return rest[0];
}

const outcome = ({ title, status, url, publish_at: time }) => {
  const verb = { published: "Published", scheduled: `Scheduled for ${time}`, draft: "Draft", archived: "Archived" }[status];
  return `${verb}: ${title}${url ? `\n${url}` : ""}`;
};

export async function send([file, ...more], values, io) {
  if (file === undefined || more.length > 0) throw new Failure('Which file? One .md file, or "-" for stdin', exitCodes.usage);
  if (values.draft && values.schedule !== undefined)
    throw new Failure("A draft has no time: remove --draft or --schedule", exitCodes.usage);
  const schedule = values.schedule === undefined ? undefined : timeOf(values.schedule);
  const text = file === "-" ? await textOf(io.stdin) : await fileText(file);
  const { post, externalId, folder, requests } = await postOf({ file, text }, values);
  const { api } = await apiOf(values, io);
  const markdown = await withImages(post.markdown, folder, api);
  const status = values.draft
    ? { status: "draft" }
    : schedule === undefined
      ? { status: "published" }
      : { status: "scheduled", publish_at: schedule };
  const { post: saved } = await savePost(api, externalId, { ...post, markdown, ...status }, requests);
  print(io, values, saved, outcome(saved));
}

/** Linked requests are added: they aren't part of a version. */
export async function savePost(api, externalId, post, requests = []) {
  const saved =
    externalId === undefined
      ? await api.post("/api/v1/posts", post)
      : await api.put(`/api/v1/posts/by-external-id/${encodeURIComponent(externalId)}`, post);
  return requests.length === 0 ? saved : await api.post(`/api/v1/posts/${saved.post.id}/requests`, { add: requests });
}

/** Posts of all pages, last edited first. */
export async function* everyPost(api, filter = {}) {
  for (let cursor; cursor !== null;) {
    const query = new URLSearchParams({ limit: "100", ...filter, ...(cursor !== undefined && { cursor }) });
    const { posts, next_cursor: next } = await api.get(`/api/v1/posts?${query}`);
    yield* posts;
    cursor = next;
  }
}

export async function list(rest, values, io) {
  refuseMore(rest, 0);
  const limit = Number(values.limit ?? 50);
  if (!Number.isInteger(limit) || limit < 1) throw new Failure("--limit must be a number from 1", exitCodes.usage);
  const { api } = await apiOf(values, io);
  const { status, tag } = values;
  const filter = { limit: String(Math.min(limit, 100)), ...(status !== undefined && { status }), ...(tag !== undefined && { tag }) };
  const posts = [];
  for await (const post of everyPost(api, filter)) {
    posts.push(post);
    if (posts.length === limit) break;
  }
  const rows = posts.map((post) => [
    post.external_id ?? post.id,
    post.status,
    (post.published_at ?? post.publish_at ?? post.updated_at).slice(0, 10),
    post.title,
  ]);
  const widths = [0, 1, 2].map((column) => Math.max(0, ...rows.map((row) => row[column].length)));
  const lines = rows.map((row) => row.map((cell, column) => cell.padEnd(widths[column] ?? 0)).join("  "));
  print(io, values, posts, lines.join("\n") || "No posts.");
}

export async function get(rest, values, io) {
  const name = oneName(rest);
  const { api } = await apiOf(values, io);
  if (values.json) return print(io, values, (await api.get(pathOf(name))).post);
  const text = await api.get(pathOf(name), { accept: "text/markdown" });
  if (values.output === undefined || values.output === "-") io.stdout.write(text);
  else await writeFile(values.output, text);
}

export async function archive(rest, values, io) {
  const name = oneName(rest);
  const { api } = await apiOf(values, io);
  const { post } = await api.get(pathOf(name));
  const { post: archived } = await api.post(`/api/v1/posts/${post.id}/archive`);
  print(io, values, archived, outcome(archived));
}

/** Saves options, a file, or the text from an editor; refused if someone saved meanwhile. */
export async function edit(rest, values, io) {
  const name = oneName(rest, 2);
  const file = rest[1];
  const options = fieldsOf({}, values);
  const { api } = await apiOf(values, io);
  const { post: before } = await api.get(pathOf(name));
  const save = async (changes) => {
    const { post } = await api.patch(`/api/v1/posts/${before.id}`, changes, { "if-match": `"v${before.version}"` });
    print(io, values, post, outcome(post));
  };
  if (file !== undefined) {
    const text = file === "-" ? await textOf(io.stdin) : await fileText(file);
    const { post, folder } = await postOf({ file, text }, { title: before.title, ...values });
    return await save({ ...post, markdown: await withImages(post.markdown, folder, api) });
  }
  if (Object.keys(options).length > 0) return await save(options);
  const text = await api.get(pathOf(before.id), { accept: "text/markdown" });
  const folder = await mkdtemp(path.join(tmpdir(), "tidings-"));
  const copy = path.join(folder, "post.md");
  await writeFile(copy, text);
  await openEditor(copy, io.env);
  const changed = await readFile(copy, "utf8");
  if (changed === text) print(io, values, before, "Nothing changed");
  else {
    try {
      await save((await postOf({ file: copy, text: changed }, {})).post);
    } catch (error) {
      if (!(error instanceof Failure)) throw error;
      throw new Failure(`${error.details.error} Your text is in ${copy}`, error.exitCode, error.details);
    }
  }
  await rm(folder, { recursive: true });
}

async function openEditor(file, env) {
  const [program, ...options] = (env.VISUAL || env.EDITOR || "").trim().split(/\s+/); // such as "code --wait"
  if (program === "") throw new Failure("No editor. Set EDITOR, or name a file: tidings edit <post> <file.md>", exitCodes.usage);
  const child = spawn(program, [...options, file], { stdio: "inherit", env });
  const [exitCode] = await once(child, "exit").catch((error) => [error.message]);
  if (exitCode !== 0) throw new Failure(`${program} ended with ${exitCode}; nothing was saved`, exitCodes.usage);
}
