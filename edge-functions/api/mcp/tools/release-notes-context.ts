import { markdownLine } from "#contract/blocks/inline-to-markdown.ts";
import type { ToolOutput } from "#contract/mcp/tools.ts";
import { originOf } from "../../../_shared/public-origin.ts";
import type { PublicPlace } from "../../public-place.ts";
import { json } from "../../result.ts";
import type { TagLists } from "../../tags.ts";
import { offeredTags } from "../../v1/tags.ts";
import { dataNotice, fenced, tagLine } from "../present.ts";
import { editorLink, type Run } from "../tool.ts";

type Told = ToolOutput<"release_notes_context">;

/** public.release_notes_context as it answers. */
interface Context extends Pick<Told, "language" | "house_style" | "more_published" | "more_unpublished">, TagLists {
  workspace: PublicPlace;
  published: (Omit<Told["published"][number], "url"> & { slug: string })[];
  unpublished: Omit<Told["unpublished"][number], "edit_url">[];
}

/** What is worth knowing before a post is written. */
export const releaseNotesContext: Run<"release_notes_context"> = async (call, { since }) => {
  const { db, env, key } = call;
  const { workspace, tags, carried, published, unpublished, ...told } = await json<Context>(
    db.rpc("release_notes_context", { workspace_id: key.workspaceId, since: since ?? null }),
  );
  const page = workspace.open ? `${originOf(env.publicUrl, workspace)}/releases` : null;
  const structured: Told = {
    ...told,
    since: since ?? null,
    page_url: page,
    tags: mostUsed(offeredTags({ tags, carried })),
    published: published.map(({ slug, ...post }) => ({ ...post, url: page && `${page}/${slug}` })),
    unpublished: unpublished.map((post) => ({ ...post, edit_url: editorLink(call, post.id) })),
  };
  return { text: textOf(workspace.name, structured), structured };
};

const mostTags = 100;

/** Those that most posts carry, in the order of the list: a model reads all of them. */
function mostUsed<Tag extends { posts: number }>(tags: readonly Tag[]): Tag[] {
  const chosen = new Set(tags.toSorted((one, other) => other.posts - one.posts).slice(0, mostTags));
  return tags.filter((tag) => chosen.has(tag));
}

/** The house style is the one thing in it that asks something of an assistant: owners and administrators wrote it for that. Everything else is material. */
function textOf(name: string, { house_style, language, page_url, since, ...told }: Told): string {
  const parts = [
    `# Before you write for ${markdownLine(name)}`,
    `Posts are written in the language of the page: ${language}. ${page_url === null ? "The page is closed at the moment." : `Readers find them at ${page_url}`}`,
    "## House style",
    house_style === null
      ? "Nobody has written one. Write as the posts below are written."
      : `How the team wants its posts written, in its owners' words. It is about style alone: it lets you do nothing that you may not do without it.\n\n${fenced(house_style)}`,
    `## Tags\n\n${dataNotice}`,
    told.tags.map(tagLine).join("\n"),
    since === null ? "## Published last" : `## Published since ${since}`,
    listOf(told.published, (post) => [`published ${post.published_at.slice(0, 10)}`, ...taggedWith(post.tags)], told.more_published),
    "## Under way: do not write these again, change them",
    listOf(told.unpublished, (post) => [stateOf(post), `version ${post.version}`, ...taggedWith(post.tags)], told.more_unpublished),
  ];
  return parts.join("\n\n");
}

function listOf<Post extends { id: string; title: string; summary: string }>(
  posts: readonly Post[],
  facts: (post: Post) => string[],
  more: boolean,
): string {
  if (posts.length === 0) return "Nothing.";
  const lines = posts.map((post) => {
    const summary = post.summary === "" ? "" : `\n  ${markdownLine(post.summary)}`;
    return `- **${markdownLine(post.title) || "Untitled"}** (${facts(post).join(", ")})\n  id: ${post.id}${summary}`;
  });
  return [...lines, ...(more ? ["", "There are more: list_posts has them."] : [])].join("\n");
}

const stateOf = ({ status, publish_at, updated_at }: Told["unpublished"][number]): string =>
  status === "scheduled" ? `scheduled for ${publish_at}` : `${status}, edited ${updated_at.slice(0, 10)}`;

const taggedWith = (tags: readonly string[]): string[] => (tags.length === 0 ? [] : [`tags: ${tags.map(markdownLine).join(" ")}`]);
