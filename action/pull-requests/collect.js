import { appendFile, readFile } from "node:fs/promises";
import { fileURLToPath } from "node:url";
import { Api } from "../../cli/lib/api.js";
import { exitCodes, Failure } from "../../cli/lib/errors.js";
import { originOf, requireKey } from "../../cli/lib/settings.js";
import { changeOf, draftOf, readGroups, says, withChange } from "./change.js";

/** Limits of drafts per period, each begun after the previous was published, and of retries after conflicts. */
const mostDrafts = 20;
const mostTries = 10;

/** Adds a merged pull request to a draft; returns {outcome, id?}. Idempotent. */
export async function collect(env, { wait } = {}) {
  if (!env.GITHUB_EVENT_PATH) throw new Failure("GITHUB_EVENT_PATH isn't set. Run this as a step of a workflow", exitCodes.usage);
  const event = JSON.parse(await readFile(env.GITHUB_EVENT_PATH, "utf8"));
  const groups = readGroups(env.INPUT_GROUPS);
  const change = changeOf(event, { groups, skip: env.INPUT_SKIP });
  if (change === null) return { outcome: "skipped" };
  const api = new Api({ url: originOf(env.TIDINGS_URL ?? ""), key: requireKey(env.TIDINGS_KEY ?? "") }, wait && { wait });
  const { name, title } = draftOf(event.pull_request.merged_at, env.INPUT_PERIOD || undefined, env.INPUT_NAME || undefined);
  const tags = (env.INPUT_TAGS ?? "")
    .split(",")
    .map((tag) => tag.trim())
    .filter((tag) => tag !== "");
  const draft = { title: env.INPUT_TITLE || title, ...(tags.length > 0 && { tags }), status: "draft" };
  for (let number = 1; number <= mostDrafts; number++) {
    const done = await inDraft(api, number === 1 ? name : `${name}-${number}`, draft, change, groups);
    if (done !== null) return done;
  }
  throw new Failure(`There are ${mostDrafts} posts of this period already. Choose another name or a shorter period.`);
}

/** Adds to the draft with this name, created if missing; null if it was published, so the next one is used. */
async function inDraft(api, name, draft, change, groups) {
  const path = `/api/v1/posts/by-external-id/${encodeURIComponent(name)}`;
  for (let attempt = 1; ; attempt++) {
    try {
      const post = await present(api, path);
      if (post === null) {
        const made = await api.put(path, { ...draft, blocks: withChange([], change, groups) }, { "if-none-match": "*" });
        return { outcome: "added", id: made.post.id };
      }
      if (says(post.blocks, change)) return { outcome: "known", id: post.id };
      if (post.status !== "draft") return null;
      const blocks = withChange(post.blocks, change, groups);
      await api.patch(`/api/v1/posts/${post.id}`, { blocks }, { "if-match": `"v${post.version}"` });
      return { outcome: "added", id: post.id };
    } catch (error) {
      // Version conflict: someone saved in between, so read again and retry.
      if (!(error instanceof Failure) || error.details.code !== "version_conflict" || attempt === mostTries) throw error;
    }
  }
}

async function present(api, path) {
  try {
    return (await api.get(path)).post;
  } catch (error) {
    if (error instanceof Failure && error.details.code === "not_found") return null;
    throw error;
  }
}

async function main(env) {
  const { outcome, id = "" } = await collect(env);
  if (env.GITHUB_OUTPUT) await appendFile(env.GITHUB_OUTPUT, `outcome=${outcome}\nid=${id}\n`);
  process.stdout.write(`${{ added: "Added to the draft", known: "It is there already", skipped: "Left out" }[outcome]}\n`);
}

if (import.meta.main ?? process.argv[1] === fileURLToPath(import.meta.url)) {
  try {
    await main(process.env);
  } catch (error) {
    process.stderr.write(`tidings: ${error.message}\n`);
    process.exitCode = error instanceof Failure ? error.exitCode : exitCodes.usage;
  }
}
