import { markdownLine, markdownParagraph } from "#contract/blocks/inline-to-markdown.ts";
import { originOf } from "../../../_shared/public-origin.ts";
import { json } from "../../result.ts";
import { dataNotice } from "../present.ts";
import type { Run } from "../tool.ts";

interface SearchResult {
  total: number;
  address: { subdomain: string; domain: string | null };
  releases: { id: string; slug: string; title: string; excerpt: string; tags: string[]; published_at: string }[];
}

export const searchPublic: Run<"search_public"> = async ({ db, key, env }, { query, limit }) => {
  const args = { workspace_id: key.workspaceId, term: query, size: limit };
  const { total, address, releases: posts } = await json<SearchResult>(db.rpc("search_public", args));
  const origin = originOf(env.publicUrl, address);
  const releases = posts.map(({ slug, ...release }) => ({ ...release, url: `${origin}/releases/${slug}` }));
  const lines = releases.map(
    ({ id, title, url, excerpt, published_at }) =>
      `- **${markdownLine(title)}** (${published_at.slice(0, 10)})\n  ${url}\n  id: ${id}\n  ${markdownParagraph(excerpt)}`,
  );
  const text = [releases.length === 0 ? "No public posts found." : `${total} found.\n${dataNotice}`, ...lines];
  return { text: text.join("\n"), structured: { releases, total } };
};
