import { visit } from "./public.ts";

const feeds = ["/releases.json", "/releases.feed.json", "/releases/rss.xml", "/releases/atom.xml", "/sitemap.xml"];
const forMachines = ["/releases.md", "/llms.txt", "/releases/llms.txt"];

interface Looks {
  pages: readonly string[];
  copiesOf: readonly string[];
  tags: readonly string[];
}

export async function whatReadersGet(subdomain: string, { pages, copiesOf, tags }: Looks): Promise<string[]> {
  const found = ["/releases?q=other", "/releases?q=words", ...tags.map((tag) => `/releases?tag=${tag}`)];
  const posts = [...pages, ...copiesOf.flatMap((slug) => [`${slug}.json`, `${slug}.md`])].map((name) => `/releases/${name}`);
  const asked: [subdomain: string | null, path: string][] = [
    ...["/releases", ...feeds, ...forMachines, ...posts, ...found].map((path): [string, string] => [subdomain, path]),
    ...["widget", ...copiesOf.map((slug) => `${slug}.widget`)].map((name): [null, string] => [
      null,
      `/releases/${name}.json?workspace=${subdomain}`,
    ]),
  ];
  return await Promise.all(
    asked.map(async ([host, path]) => {
      const { status, headers, body } = await visit(host, path);
      return `${path} ${status} ${headers.location ?? ""} ${body.replaceAll(/nonce-[\w+/=-]+|nonce="[^"]*"/g, "nonce")}`;
    }),
  );
}
