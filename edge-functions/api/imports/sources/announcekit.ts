import { nextPlace } from "../address.ts";
import { type SourceClient, refused } from "../source-client.ts";
import { graphql } from "./graphql.ts";
import { mostSmallPages, requireKey, requirePlace } from "./pages.ts";
import type { Source } from "./source.ts";

interface Project {
  id: string;
  name: string;
  slug: string;
}

const projectsQuery = "query { me { memberships { project { id name slug } } } }";
const postsQuery = `query ($project: ID!, $page: Int) {
  posts(project_id: $project, page: $page) {
    count
    page
    pages
    list {
      id
      status
      is_draft
      created_at
      visible_at
      expire_at
      external_url
      labels { label { id name } }
      contents { locale_id title body url }
    }
  }
}`;

export const announcekit: Source = async (client, { address, key: apiKey, after }) => {
  const key = requireKey(apiKey);
  const place = requirePlace(after, mostSmallPages);
  const url = `${client.server("announcekit", "https://announcekit.app")}/gq/v2`;
  const project = place.rest || (await projectOf(client, url, key, address));
  const variables = { project, page: place.page - 1 };
  const { text, data } = await graphql<{ posts: { pages?: unknown } }>(client, { url, key, query: postsQuery, variables });
  const pages = data.posts?.pages;
  if (typeof pages !== "number") throw client.refuse("AnnounceKit sent a response without a list of posts");
  return {
    name: `announcekit-page-${place.page}.json`,
    text,
    address: "https://announcekit.app",
    next: place.page < pages ? nextPlace(place, mostSmallPages, project) : null,
  };
};

async function projectOf(client: SourceClient, url: string, key: string, address: string): Promise<string> {
  const { data } = await graphql<{ me: { memberships?: { project: Project }[] } | null }>(client, {
    url,
    key,
    query: projectsQuery,
    variables: {},
  });
  if (!data.me) throw client.refuseKey();
  const projects = (data.me.memberships ?? []).map(({ project }) => project);
  const subject = address.toLowerCase();
  const matching = projects.filter(({ id, name, slug }) => [String(id), name, slug].some((text) => text?.toLowerCase() === subject));
  const fitting = subject === "" ? projects : matching;
  if (fitting.length === 1) return String(fitting[0]!.id);
  if (projects.length === 0) throw client.refuse("This key has no access to a project");
  const names = projects
    .slice(0, 10)
    .map(({ name }) => name)
    .join(", ");
  throw refused("address", `Please enter the project: ${names}`);
}
