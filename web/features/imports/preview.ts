import type { EntryState } from "#contract/imports.ts";
import type { ImportSource, PreparedPost } from "#importers/entry.ts";
import { countLeftOut } from "#importers/left-out.ts";
import { oldestFirst } from "#importers/preview/batches.ts";
import { mappedTags, type TagMapping } from "#importers/preview/tag-mapping.ts";

/** A post that was read, compared with the workspace. */
export interface SourcePost extends PreparedPost {
  state: EntryState;
  /** The matching post here, or null. */
  postId: string | null;
  version: number | null;
}

export interface ImportSourceContent {
  source: ImportSource;
  name: string;
  /** True if external ids identify the source (importers/entry.ts). */
  isNamed: boolean;
  /** True if the site's URL would keep more. */
  wantsAddress: boolean;
  notes: readonly string[];
  /** Content left out of all posts (importers/entry.ts). */
  leftOut: readonly string[];
  posts: readonly SourcePost[];
  /** Image files by path. */
  pictures: ReadonlyMap<string, Uint8Array>;
}

/** Publish dates: as in the source, or drafts. */
export type Dates = "original" | "drafts";

export interface Preview {
  found: ImportSourceContent;
  /** Indexes in `found.posts`. */
  ticked: ReadonlySet<number>;
  tags: TagMapping;
  dates: Dates;
}

/** Preselects new posts, and posts changed only at the source if they are named. Local changes and deletions must not be overwritten unasked. */
export const isTickedAtFirst = (found: SourcePost, isNamed: boolean): boolean =>
  canBeTicked(found) && (found.state === "new" || (found.state === "there" && isNamed));

/** Warning that changed posts may be different ones. */
export function nameNotes(isNamed: boolean, posts: readonly Pick<SourcePost, "state">[]): string[] {
  if (isNamed || !posts.some(({ state }) => state === "there" || state === "both")) return [];
  return ["These posts don't name their repository or site. Check that they match before you replace posts"];
}

/** False if the post can't be imported. */
export const canBeTicked = ({ problem }: Pick<SourcePost, "problem">): boolean => problem === null;

/** Labels and explanations of states. */
export const stateLabels: Readonly<Record<EntryState, { word: string; note: string }>> = {
  new: { word: "New", note: "Not imported yet." },
  same: { word: "Unchanged", note: "No changes since the last import." },
  there: { word: "Changed at source", note: "Changed at the source since the last import, but not here." },
  here: { word: "Changed here", note: "Changed here. Importing replaces it with the source’s version." },
  both: {
    word: "Changed in both",
    note: "Changed here and at the source. Importing replaces it with the source’s version.",
  },
  gone: { word: "Deleted here", note: "Imported and deleted here. Importing restores it." },
};

/** Indexes of posts that contain every search word, ignoring case. */
export function matching(posts: readonly SourcePost[], words: string, state: EntryState | "any"): number[] {
  const searchWords = words.toLowerCase().split(/\s+/).filter(Boolean);
  const indexes: number[] = [];
  posts.forEach(({ post, state: own }, index) => {
    if (state !== "any" && own !== state) return;
    const text = [post.title, post.slug ?? "", ...(post.tags ?? []), ...(post.old_urls ?? [])].join(" ").toLowerCase();
    if (searchWords.every((word) => text.includes(word))) indexes.push(index);
  });
  return indexes;
}

/** Count by state, in display order. */
export function statesOf(posts: readonly SourcePost[]): [EntryState, number][] {
  const counts = new Map<EntryState, number>();
  for (const { state } of posts) counts.set(state, (counts.get(state) ?? 0) + 1);
  return (Object.keys(stateLabels) as EntryState[]).flatMap((state) => {
    const count = counts.get(state);
    return count === undefined ? [] : [[state, count] as [EntryState, number]];
  });
}

/** Selected posts to send, oldest first. `created`: keys of new tags by label. */
export function chosenPosts({ found, ticked, tags, dates }: Preview, created: ReadonlyMap<string, string>): PreparedPost[] {
  const selected = [...ticked].sort((one, other) => one - other).flatMap((place) => found.posts[place] ?? []);
  return oldestFirst(selected).map(({ post, images, version }) => ({
    post: {
      ...(dates === "drafts" && version === null ? asDraft(post) : post),
      tags: mappedTags(post.tags ?? [], tags, created),
      replaces: version,
    },
    images,
    losses: [],
    problem: null,
  }));
}

/** Limit of names in one sentence. */
const maxNames = 3;

/** Left-out content of the source and the selected posts. */
export function leftOutOf({ found, ticked }: Preview): string[] {
  const names = [...new Set([...ticked].flatMap((place) => found.posts[place]?.siteSyntax ?? []))];
  const others = countLeftOut(Math.max(0, names.length - maxNames), "other shortcode");
  return [...found.leftOut, ...names.slice(0, maxNames), ...others];
}

/** Keeps archived posts archived. */
function asDraft(post: PreparedPost["post"]): PreparedPost["post"] {
  return post.status === "archived" ? post : { ...post, status: "draft", published_at: null, publish_at: null };
}

/** UTC day, so that "January 5" stays January 5 in every time zone. */
export const dayOf = (moment: string): string => new Date(moment).toLocaleDateString(undefined, { dateStyle: "medium", timeZone: "UTC" });

/** URL without protocol; only the path for unknown hosts (importers/adapters/tidings.ts). */
export const shortAddress = (url: string): string => url.replace(/^https?:\/\/(?:[^/]+\.invalid(?=\/))?/, "");

/** Author and date as readers will see them; drafts have no date. */
export function previewFacts({ status, published_at, publish_at, author = null }: SourcePost["post"], isDraft: boolean) {
  const date = isDraft || status === "draft" ? null : status === "scheduled" ? publish_at : published_at;
  return { author, ...(date ? { published_at: date } : {}) };
}
