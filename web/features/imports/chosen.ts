import type { PreparedPost } from "#importers/entry.ts";
import { countLeftOut } from "#importers/left-out.ts";
import type { Preview } from "./machine.ts";
import { oldestFirst } from "./pieces.ts";
import { mappedTags } from "./tag-mapping.ts";

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
