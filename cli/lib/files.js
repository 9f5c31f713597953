import { once } from "node:events";
import { mkdir, open, readdir, rename, rm, writeFile } from "node:fs/promises";
import path from "node:path";
import { pipeline } from "node:stream/promises";
import { apiOf } from "./account.js";
import { exitCodes, Failure } from "./errors.js";
import { fileText, print } from "./output.js";
import { postOf, timeOf, withImages } from "./post.js";
import { everyPost, savePost } from "./posts.js";

/** File names become external ids, so a repeated import updates. Subscribers aren't emailed. */
export async function importFolder([folder, ...more], values, io) {
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
        requests,
      } = await postOf({ file, text: await fileText(file) }, { tags: values.tags, "no-notify": true });
      const name =
        externalId ??
        path
          .relative(folder, file)
          .replaceAll(path.sep, "/")
          .replace(/\.(?:md|markdown)$/i, "");
      const markdown = await withImages(post.markdown, beside, api, images);
      const { post: made } = await savePost(api, name, { ...post, markdown, ...importedStatus(fields, values.publish) }, requests);
      print(io, values, { file, id: made.id, status: made.status, url: made.url }, `${file}: ${made.status}`);
    } catch (error) {
      if (!(error instanceof Failure) || error.exitCode >= exitCodes.key) throw error;
      failed++;
      io.stderr.write(`${values.json ? JSON.stringify({ file, ...error.details }) : `${file}: ${error.message}`}\n`);
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
  print(io, values, { output }, `All posts in ${output}`);
}

const brokenOff = (error, left) =>
  new Failure(`The export stopped (${error.cause?.message ?? error.message}). ${left}.`, exitCodes.unreachable);

export async function exportPosts(_rest, values, io) {
  if (values.format !== undefined) return await giveFile(values, io);
  if (!values.markdown)
    throw new Failure("Missing target. Use tidings export --markdown <folder>, or --format markdown --output posts.zip", exitCodes.usage);
  const { api } = await apiOf(values, io);
  await mkdir(values.markdown, { recursive: true });
  let count = 0;
  for await (const { id, slug } of everyPost(api)) {
    const text = await api.get(`/api/v1/posts/${id}`, { accept: "text/markdown" });
    await writeFile(path.join(values.markdown, `${slug.replace(/[^\p{L}\p{N}_-]/gu, "-") || id}.md`), text);
    count++;
  }
  print(io, values, { output: values.markdown, posts: count }, `${count} ${count === 1 ? "post" : "posts"} in ${values.markdown}`);
}
