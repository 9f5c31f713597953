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

/** null if it doesn't exist. Answers are cached for a minute. */
async function read<Answer>(path: string): Promise<Answer | null> {
  const response = await fetch(new URL(path, process.env.TIDINGS_CHANGELOG), { next: { revalidate: 60 } });
  if (response.status === 404) return null;
  if (!response.ok) throw new Error(`${response.url} answers ${response.status}`);
  return (await response.json()) as Answer;
}

/** One page of published posts, newest first. */
export const listPosts = (page: number): Promise<Page | null> => read(`/releases.json?page=${page}`);

/** `content_html` is safe to show: Tidings removes scripts, styles and event handlers. */
export async function readPost(slug: string): Promise<(Summary & { content_html: string }) | null> {
  const answer = await read<{ release: Summary & { content_html: string } }>(`/releases/${encodeURIComponent(slug)}.json`);
  return answer?.release ?? null;
}
