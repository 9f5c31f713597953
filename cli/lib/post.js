import { readFile } from "node:fs/promises";
import path from "node:path";
import { sectionOf } from "./changelog.js";
import { exitCodes, Failure } from "./errors.js";
import { readFrontMatter } from "./front-matter.js";

export async function postOf({ file, text }, options) {
  const named = file === "-" ? "The text" : file;
  const { fields, body } = frontMatterOf(text, named);
  const section = options.section === undefined ? body : sectionOf(body, options.section);
  if (section === null) throw new Failure(`${named} has no section for ${options.section}`);
  const { title, markdown } = titled(section, options.title ?? textOf(fields.title) ?? options.section);
  if (title === undefined) throw new Failure(`${named} has no title: write "# Title" as its first line, or use --title`, exitCodes.usage);
  if (markdown.trim() === "") throw new Failure(`${named} has no text`);
  return {
    externalId: options["external-id"] ?? textOf(fields.external_id),
    folder: file === "-" ? null : path.dirname(path.resolve(file)),
    fields,
    requests: listOf(fields.requests),
    post: { markdown, ...fieldsOf(fields, { ...options, title }) },
  };
}

/** A post's fields other than its text; options override the file's. */
export const fieldsOf = (fields, options) =>
  present({
    title: options.title ?? textOf(fields.title),
    tags: listOf(options.tags ?? fields.tags),
    summary: options.summary ?? textOf(fields.summary),
    slug: options.slug ?? textOf(fields.slug),
    product_version: options["product-version"] ?? textOf(fields.product_version),
    component: options.component ?? textOf(fields.component),
    pinned_until: timeIn(fields.pinned_until),
    expires_at: timeIn(fields.expires_at),
    button: textOf(fields.button_text) && { text: textOf(fields.button_text), url: textOf(fields.button_url) ?? "" },
    breaking: fields.breaking,
    security: fields.security,
    audience: audienceIn(textOf(fields.audience)),
    notify: options["no-notify"] ? false : undefined,
  });

function frontMatterOf(text, named) {
  try {
    return readFrontMatter(text);
  } catch (error) {
    throw new Failure(`${named}: ${error.message}`, exitCodes.usage);
  }
}

/** A leading `# Title` becomes the title. */
function titled(body, given) {
  const [, heading, rest] = /^\s*#\s+([^\n]+?)\s*#*\s*(?:\n([^]*))?$/.exec(body) ?? [];
  if (heading === undefined) return { title: given, markdown: body };
  if (given === undefined || given === heading) return { title: heading, markdown: (rest ?? "").trimStart() };
  return { title: given, markdown: body };
}

const present = (fields) => Object.fromEntries(Object.entries(fields).filter(([, value]) => value !== undefined));
const textOf = (value) => (typeof value === "string" && value.trim() !== "" ? value.trim() : undefined);
const timeIn = (value) => (textOf(value) === undefined ? undefined : timeOf(textOf(value)));
const audienceIn = (text) => (text?.startsWith("{") ? JSON.parse(text) : text);
function listOf(value) {
  if (value === undefined) return undefined;
  return (Array.isArray(value) ? value : String(value).split(",")).map((one) => one.trim()).filter((one) => one !== "");
}

/** ISO time; local time without a zone. */
export function timeOf(text) {
  const time = new Date(text);
  if (Number.isNaN(time.getTime())) throw new Failure(`${text} isn't a valid time, such as 2026-12-01T09:00:00Z`, exitCodes.usage);
  return time.toISOString();
}

const types = { ".png": "image/png", ".jpg": "image/jpeg", ".jpeg": "image/jpeg", ".webp": "image/webp", ".gif": "image/gif" };
const picture = /(!\[[^\]\n]*\]\(\s*<?)([^)\s<>]+)(>?(?:\s+"[^"\n]*")?\s*\))/g;

/** Uploads local images below the file's folder, such as `![](graph.png)`, and appends their size. */
export async function withImages(markdown, folder, api, known = new Map()) {
  if (folder === null) return markdown;
  const lines = [];
  let inCode = false;
  for (const line of markdown.split("\n")) {
    if (/^\s*(?:```|~~~)/.test(line)) inCode = !inCode;
    lines.push(inCode ? line : await lineWithImages(line, folder, api, known));
  }
  return lines.join("\n");
}

async function lineWithImages(line, folder, api, known) {
  let written = line;
  for (const [whole, before, address, after] of line.matchAll(picture)) {
    const type = types[path.extname(address).toLowerCase()];
    if (/^[a-z][a-z\d+.-]*:|^\//i.test(address) || type === undefined) continue;
    const file = path.resolve(folder, decodeURIComponent(address));
    if (!file.startsWith(folder + path.sep)) throw new Failure(`${address} isn't below ${folder}: only images there are uploaded`);
    if (!known.has(file)) {
      const bytes = await readFile(file).catch(() => {
        throw new Failure(`The image ${address} wasn't found at ${file}`);
      });
      known.set(file, (await api.upload("/api/v1/images", bytes, type)).image);
    }
    const { url, width, height } = known.get(file);
    written = written.replace(whole, () => `${before}${url}${after}<!-- tidings ${JSON.stringify({ file: { width, height } })} -->`);
  }
  return written;
}
