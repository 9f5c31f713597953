import type { EntryState } from "#contract/imports.ts";
import type { ImportSource, PreparedPost } from "#importers/entry.ts";
import { countLeftOut } from "#importers/left-out.ts";
import { oldestFirst } from "#importers/preview/batches.ts";
import { mappedTags, type TagMapping } from "#importers/preview/tag-mapping.ts";

/** A post that was read, and what it is to the workspace. */
export interface FoundPost extends PreparedPost {
  state: EntryState;
  /** The post here that it is, where there is one. */
  postId: string | null;
  version: number | null;
}

/** Everything that was read. */
export interface Found {
  source: ImportSource;
  name: string;
  /** Whether its posts' names say whose they are (importers/entry.ts). */
  isNamed: boolean;
  /** Whether more could be kept if somebody said where the site is. */
  wantsAddress: boolean;
  notes: readonly string[];
  /** What is in the source and in no post, counted (importers/entry.ts). */
  leftOut: readonly string[];
  posts: readonly FoundPost[];
  /** Pictures that came along, by the path that posts name them with. */
  pictures: ReadonlyMap<string, Uint8Array>;
}

/** When posts of the source count as published: as the source says, or not at all yet. */
export type Dates = "original" | "drafts";

/** What was read, and what is wanted of it. */
export interface Preview {
  found: Found;
  /** Places in `found.posts`. */
  ticked: ReadonlySet<number>;
  tags: TagMapping;
  dates: Dates;
}

/**
 * Ticked before anybody has looked: what is new, and what was changed there alone, unless it may be another product's post of the same name. What was
 * written or deleted here is nobody's to overwrite unasked.
 */
export const isTickedAtFirst = (found: FoundPost, isNamed: boolean): boolean =>
  canBeTicked(found) && (found.state === "new" || (found.state === "there" && isNamed));

/** About the whole: that posts which look changed may be others. */
export function nameNotes(isNamed: boolean, posts: readonly Pick<FoundPost, "state">[]): string[] {
  if (isNamed || !posts.some(({ state }) => state === "there" || state === "both")) return [];
  return [
    "These posts have no repository or site in their names, so posts of another file may have the same ones: look before you replace",
  ];
}

/** Not what cannot be imported at all; its row says why. */
export const canBeTicked = ({ problem }: Pick<FoundPost, "problem">): boolean => problem === null;

/** States in words, as a column shows them, and what importing such a post does. */
export const stateWords: Readonly<Record<EntryState, { word: string; note: string }>> = {
  new: { word: "New", note: "It is not here yet." },
  same: { word: "The same", note: "Nothing was changed since it was imported." },
  there: { word: "Changed there", note: "It was changed at the source since it was imported; nobody changed it here." },
  here: { word: "Changed here", note: "It was changed here. Importing it again puts the source’s version in its place." },
  both: {
    word: "Changed in both",
    note: "It was changed here and at the source. Importing it again puts the source’s version in its place.",
  },
  gone: { word: "Deleted here", note: "It was imported and deleted here. Importing it again brings it back." },
};

/** Those whose title, tags, address or state hold every word, whatever the case. */
export function matching(posts: readonly FoundPost[], words: string, state: EntryState | "any"): number[] {
  const wanted = words.toLowerCase().split(/\s+/).filter(Boolean);
  const found: number[] = [];
  posts.forEach(({ post, state: own }, index) => {
    if (state !== "any" && own !== state) return;
    const text = [post.title, post.slug ?? "", ...(post.tags ?? []), ...(post.old_urls ?? [])].join(" ").toLowerCase();
    if (wanted.every((word) => text.includes(word))) found.push(index);
  });
  return found;
}

/** How many there are of each state, those that there are, in the order of the words above. */
export function statesOf(posts: readonly FoundPost[]): [EntryState, number][] {
  const counts = new Map<EntryState, number>();
  for (const { state } of posts) counts.set(state, (counts.get(state) ?? 0) + 1);
  return (Object.keys(stateWords) as EntryState[]).flatMap((state) => {
    const count = counts.get(state);
    return count === undefined ? [] : [[state, count] as [EntryState, number]];
  });
}

/** What was ticked as it will be sent, oldest first. `made` are the keys of the tags that were new, by their labels. */
export function chosenPosts({ found, ticked, tags, dates }: Preview, made: ReadonlyMap<string, string>): PreparedPost[] {
  const wanted = [...ticked].sort((one, other) => one - other).flatMap((place) => found.posts[place] ?? []);
  return oldestFirst(wanted).map(({ post, images, version }) => ({
    post: {
      ...(dates === "drafts" && version === null ? asDraft(post) : post),
      tags: mappedTags(post.tags ?? [], tags, made),
      replaces: version,
    },
    images,
    losses: [],
    problem: null,
  }));
}

/** At most so many names stand in one sentence. */
const mostNamed = 3;

/** What is left out of the source and of the posts that were ticked, as the end of the import tells it. */
export function leftOutOf({ found, ticked }: Preview): string[] {
  const names = [...new Set([...ticked].flatMap((place) => found.posts[place]?.siteSyntax ?? []))];
  const others = countLeftOut(Math.max(0, names.length - mostNamed), "other shortcode");
  return [...found.leftOut, ...names.slice(0, mostNamed), ...others];
}

/** What readers would see becomes a draft; what was put away there stays so. A post that is here already keeps its state. */
function asDraft(post: PreparedPost["post"]): PreparedPost["post"] {
  return post.status === "archived" ? post : { ...post, status: "draft", published_at: null, publish_at: null };
}

/** The public page's day of a moment, in UTC: a source's "January 5" is January 5 also west of Greenwich. */
export const dayOf = (moment: string): string => new Date(moment).toLocaleDateString(undefined, { dateStyle: "medium", timeZone: "UTC" });

/** A former address without its protocol; where the host is unknown (importers/adapters/tidings.ts), the path alone. */
export const shortAddress = (url: string): string => url.replace(/^https?:\/\/(?:[^/]+\.invalid(?=\/))?/, "");

/** The author and date that readers will see beside the text; a draft has no date. */
export function previewFacts({ status, published_at, publish_at, author = null }: FoundPost["post"], isDraft: boolean) {
  const date = isDraft || status === "draft" ? null : status === "scheduled" ? publish_at : published_at;
  return { author, ...(date ? { published_at: date } : {}) };
}
