import { expect, test } from "vitest";
import { sitemap } from "./for-machines.ts";
import { addressesBelow } from "../site.ts";

const site = addressesBelow("https://tidings.example").siteOf({ subdomain: "acme", by: "host" }, null);
const releases = (count: number) => Array.from({ length: count }, (_, index) => ({ slug: `post-${index}`, updated_at: new Date(0) }));
const pathsOf = (text: string): string[] =>
  [...text.matchAll(/<loc>https:\/\/acme\.tidings\.example([^<]*)<\/loc>/g)].map(([, path]) => path!);

test("a sitemap has the list and every release", () => {
  expect(pathsOf(sitemap(site, releases(2)))).toEqual(["/releases", "/releases/post-0", "/releases/post-1"]);
});

test("a sitemap has at most 50,000 URLs, the newest", () => {
  const paths = pathsOf(sitemap(site, releases(50_000)));
  expect([paths.length, paths[0], paths.at(-1)]).toEqual([50_000, "/releases", "/releases/post-49998"]);
});
