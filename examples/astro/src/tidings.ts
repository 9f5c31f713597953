import { TIDINGS_CHANGELOG } from "astro:env/server";

export interface Summary {
  title: string;
  slug: string;
  url: string;
  excerpt: string;
  published_at: string;
}

interface Page {
  releases: Summary[];
  pagination: { pages: number };
}

async function read<Answer>(path: string): Promise<Answer> {
  const response = await fetch(new URL(path, TIDINGS_CHANGELOG));
  if (!response.ok) throw new Error(`${response.url} answers ${response.status}`);
  return (await response.json()) as Answer;
}

/** All published posts, newest first. */
export async function listPosts(): Promise<Summary[]> {
  const posts: Summary[] = [];
  for (let page = 1, pages = 1; page <= pages; page++) {
    const { releases, pagination } = await read<Page>(`/releases.json?limit=50&page=${page}`);
    posts.push(...releases);
    pages = pagination.pages;
  }
  return posts;
}

/** `content_html` is safe to show: Tidings removes scripts, styles and event handlers. */
export async function readPost(slug: string): Promise<Summary & { content_html: string }> {
  return (await read<{ release: Summary & { content_html: string } }>(`/releases/${slug}.json`)).release;
}
