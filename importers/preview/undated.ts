import type { PreparedPost } from "../entry.ts";

export type GivenDates = ReadonlyMap<number, string>;

export const undatedPlaces = (posts: readonly PreparedPost[]): number[] =>
  posts.flatMap(({ undated }, place) => (undated === undefined ? [] : [place]));

export function withDate<Post extends PreparedPost>(prepared: Post, date: string | undefined): Post {
  const { undated, post } = prepared;
  if (undated === undefined) return prepared;
  const losses = prepared.losses.filter((loss) => loss !== undated);
  if (date === undefined) return { ...prepared, post: { ...post, status: "draft", published_at: null }, losses: [...losses, undated] };
  return { ...prepared, post: { ...post, status: "published", published_at: date }, losses };
}

const dayMs = 86_400_000;
const secondMs = 1_000;

const numbers = new Intl.Collator("en", { numeric: true });
const versionOf = (title: string): string => /\d+(?:\.\d+)*/.exec(title)?.[0] ?? "";

/** Sources are newest first, unless their versions ascend. */
function oldestFirst(posts: readonly PreparedPost[], places: readonly number[]): number[] {
  const versions = [places.at(0), places.at(-1)].map((place) => versionOf(posts[place ?? -1]?.post.title ?? ""));
  return numbers.compare(versions[0]!, versions[1]!) < 0 ? [...places] : places.toReversed();
}

export function spreadDates(posts: readonly PreparedPost[], from: string, to: string, now: Date): GivenDates {
  const places = oldestFirst(posts, undatedPlaces(posts));
  const [first, last] = [Date.parse(from), Date.parse(to)];
  const step = (last - first) / Math.max(places.length - 1, 1);
  return new Map(
    places.map((place, at) => {
      const day = Math.floor((first + step * at) / dayMs) * dayMs;
      return [place, new Date(Math.min(day + at * secondMs, now.getTime())).toISOString()];
    }),
  );
}

const repository = /github\.com\/([\w.-]+\/[\w.-]+?)\/(?:pull|commit|issues|compare|releases)\//;
const mostSearched = 50;

/** From the source's name, or links in undated posts; "" if none. */
export function repositoryOf(name: string, posts: readonly PreparedPost[]): string {
  if (/^[\w.-]+\/[\w.-]+$/.test(name)) return name;
  for (const place of undatedPlaces(posts).slice(0, mostSearched)) {
    const [, linked] = repository.exec(JSON.stringify(posts[place]!.post.blocks)) ?? [];
    if (linked !== undefined) return linked;
  }
  return "";
}

export interface Release {
  external_id: string;
  published_at?: string | null;
}

const versioned = /^(.{0,200}?)[@/_-]?v?(\d+(?:\.\d+)+(?:[-+.][\da-z.+-]*)?)$/i;

/** Splits `pkg@1.2.0`, `v1.2.0` and `pkg-v1.2.0` into owner ("" for none) and version. */
function splitVersion(name: string): { owner: string; version: string } | null {
  const [, owner = "", version] = versioned.exec(name) ?? [];
  return version === undefined ? null : { owner: owner.toLowerCase(), version: version.toLowerCase() };
}

/** Dates of GitHub releases by version. In a monorepo, a tag such as `pkg@1.2.0` only applies to that package's changelog. */
export function releaseDates(posts: readonly PreparedPost[], releases: readonly Release[]): GivenDates {
  const tags = releases.flatMap(({ external_id, published_at }) => {
    const split = splitVersion(external_id.replace(/^github:[\w.-]+\/[\w.-]+@/, ""));
    return split === null || !published_at ? [] : [{ ...split, date: published_at }];
  });
  const byVersion = new Map<string, typeof tags>();
  for (const tag of tags) byVersion.set(tag.version, [...(byVersion.get(tag.version) ?? []), tag]);
  const isOnlyOwner = new Set(tags.map(({ owner }) => owner)).size === 1;
  const isOf = (subject: string, owner: string): boolean =>
    owner !== "" && (subject === owner || subject.endsWith(`/${owner}`) || subject.endsWith(`@${owner}`));
  const dates = new Map<number, string>();
  for (const place of undatedPlaces(posts)) {
    const own = splitVersion(posts[place]!.post.external_id.replace(/^changelog:/, ""));
    const candidates = own === null ? [] : (byVersion.get(own.version) ?? []);
    const tag =
      candidates.find(({ owner }) => isOf(own!.owner, owner)) ??
      candidates.find(({ owner }) => owner === "") ??
      (isOnlyOwner ? candidates[0] : undefined);
    if (tag !== undefined) dates.set(place, tag.date);
  }
  return dates;
}
