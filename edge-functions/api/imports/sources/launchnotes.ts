import { nextPlace } from "../address.ts";
import { refused } from "../source-client.ts";
import { graphql } from "./graphql.ts";
import { mostPages, requireKey, requirePlace } from "./pages.ts";
import type { Source } from "./source.ts";

const query = `query ($project: ID!, $first: Int, $after: String) {
  project(id: $project) {
    announcements(first: $first, after: $after) {
      nodes {
        id
        headline
        content
        contentHtml
        excerpt
        state
        slug
        createdAt
        publishedAt
        scheduledAt
        publicPermalink
        categories { id name }
      }
      pageInfo { hasNextPage endCursor }
    }
  }
}`;

interface Answer {
  project: { announcements?: { pageInfo?: { hasNextPage?: unknown; endCursor?: unknown } } } | null;
}

export const launchnotes: Source = async (client, { address, key: apiKey, after }) => {
  const key = requireKey(apiKey);
  if (!/^pro_\w{1,60}$/.test(address)) throw refused("address", "Please enter the project's id, which starts with pro_");
  const place = requirePlace(after, mostPages);
  const url = `${client.server("launchnotes", "https://app.launchnotes.io")}/graphql`;
  const variables = { project: address, first: 100, after: place.rest || null };
  const { text, data } = await graphql<Answer>(client, { url, key, query, variables });
  if (data.project === null) throw refused("address", "LaunchNotes has no project with this id");
  const page = data.project?.announcements?.pageInfo;
  if (page === undefined) throw client.refuse("LaunchNotes sent a response without a list of announcements");
  const hasMore = page.hasNextPage === true && typeof page.endCursor === "string" && page.endCursor !== "";
  return {
    name: `launchnotes-page-${place.page}.json`,
    text,
    address: "https://app.launchnotes.io",
    next: hasMore ? nextPlace(place, mostPages, page.endCursor as string) : null,
  };
};
