import { randomUUID } from "node:crypto";
import { afterAll, beforeEach, describe, expect, inject, test } from "vitest";
import type { LogLine } from "../../edge-functions/_shared/log.ts";
import { createApp } from "../../edge-functions/releases/app.tsx";
import { connect } from "../../edge-functions/releases/queries/database.ts";
import { countsOf } from "../support/counts.ts";
import { newPerson, type Person, sql } from "./support/people.ts";
import { newPost, openWorkspace } from "./support/public.ts";

const { ownerUrl } = inject("stack");
const database = connect(ownerUrl, { max: 2 });
afterAll(() => database.end());

const browser = "Mozilla/5.0 (X11; Linux x86_64; rv:140.0) Gecko/20100101 Firefox/140.0";
const host = "tidings.example";

interface Changelog {
  id: string;
  subdomain: string;
  slug: string;
  post: string;
}
let owner: Person;
let acme: Changelog;

async function newChangelog(): Promise<Changelog> {
  const { id, subdomain } = await openWorkspace(owner);
  const { id: post, slug } = await newPost(owner, id);
  return { id, subdomain, slug, post };
}

beforeEach(async () => {
  owner = await newPerson();
  acme = await newChangelog();
});

let networks = 0;
const run = randomUUID().replaceAll("-", "").slice(0, 8);
const newNetwork = (): string => {
  networks++;
  return `2001:${run.slice(0, 4)}:${networks.toString(16)}:${run.slice(4)}::1`; // each a /48 of its own, the unit of rate limits
};

function instance() {
  let working: Promise<unknown>[] = [];
  const lines: LogLine[] = [];
  const app = createApp({
    publicUrl: `https://${host}`,
    sql: database,
    write: (line) => void lines.push(line),
    waitUntil: (work) => void working.push(work),
  });
  const ask = async (path: string, headers: Record<string, string> = {}, { subdomain } = acme, method = "GET"): Promise<Response> => {
    const all = { "user-agent": browser, "x-forwarded-for": "2001:db8::1", forwarded: `host=${subdomain}.${host}`, ...headers };
    const answer = await app.fetch(new Request(`http://functions${path}`, { method, headers: all }));
    await answer.arrayBuffer();
    return answer;
  };
  const settled = async (): Promise<void> => {
    const before = working;
    working = [];
    await Promise.all(before);
  };
  return { ask, settled, lines };
}

test("counts distinguish sources of a view, widget events, referrers and countries", async () => {
  const { ask, settled } = instance();
  const own = `https://${acme.subdomain}.${host}`;
  const picture = `/releases/${acme.slug}.gif`;
  const readings: [string, Record<string, string>?][] = [
    [picture, { referer: `${own}/releases/${acme.slug}`, "cf-ipcountry": "DE", "accept-language": "de-DE,de;q=0.9" }],
    [picture, { referer: `${own}/releases/${acme.slug}?via=mail` }],
    [picture, { referer: `${own}/releases/${acme.slug}?via=mail&utm_source=x` }],
    [picture, { referer: `${own}/releases/${acme.slug}?via=feed` }],
    [picture, { referer: `${own}/releases/${acme.slug}?via=chat` }],
    [picture, { referer: `${own}/releases/${acme.slug}?via=bank` }],
    [`${picture}?via=api`, { referer: "https://own-page.example/" }],
    [picture, { referer: "https://acme.example/", origin: "https://acme.example", "sec-fetch-dest": "empty" }],
    ["/releases/widget.shown.gif"],
    ["/releases/widget.open.gif"],
    [`/releases/${acme.slug}.link.gif`],
    [`/releases/${acme.slug}.shown.gif`],
    [`/releases/${acme.slug}`, { referer: "https://news.example/item?id=1" }],
    [`/releases`, { referer: "https://news.example/item?id=1" }],
    [`/releases/${acme.slug}`, { referer: `${own}/releases` }],
    [`/releases/${acme.slug}`, { referer: `https://${host}/dashboard` }],
    ["/releases.json", { referer: "https://program.example/" }],
    ["/releases", { referer: "https://program.example/", accept: "text/markdown" }],
    [`/releases/${acme.slug}`, { referer: "https://program.example/", accept: "text/markdown" }],
    ["/llms.txt", { referer: "https://program.example/" }],
    ["/releases/rss.xml", { referer: "https://program.example/" }],
    ["/releases/not-there", { referer: "https://broken.example/" }],
  ];
  for (const [path, headers = {}] of readings) await ask(path, { "x-forwarded-for": newNetwork(), ...headers });
  await settled();
  expect(await countsOf(sql, acme.id)).toEqual({
    ...{ "view page": 2, "view mail": 2, "view feed": 1, "view chat": 1, "view api": 1, "view widget": 1 },
    ...{ "reader page": 2, "reader mail": 2, "reader feed": 1, "reader chat": 1, "reader api": 1, "reader widget": 1 },
    ...{ "widget_shown widget": 1, "widget_open widget": 1, "link_click widget": 1, "placement_shown widget": 1 },
    ...{ "referrer news.example": 2, "country DE": 1, "language de": 1 },
  });
});

test("?via= causes no second cached copy, and is kept by redirects of old slugs", async () => {
  const { ask, settled } = instance();
  const [plain, mailed] = [await ask(`/releases/${acme.slug}`), await ask(`/releases/${acme.slug}?via=mail`)];
  expect(mailed.headers.get("etag")).toBe(plain.headers.get("etag"));
  await sql`update public.posts set slug = 'another-address' where id = ${acme.post}`;
  const moved = await ask(`/releases/${acme.slug}?via=mail&x=y`);
  expect([moved.status, moved.headers.get("location")]).toEqual([301, "/releases/another-address?via=mail"]);
  const named = await ask(`/releases/${acme.slug}?workspace=${acme.subdomain}&via=a%26b%0d%0aX`, { forwarded: `host=${host}` });
  expect(named.headers.get("location")).toBe(`/releases/another-address?workspace=${acme.subdomain}&via=a%26b%0D%0AX`);
  await ask(`/releases/${acme.slug}.gif`, { referer: `https://${acme.subdomain}.${host}/releases/${acme.slug}?via=mail` });
  await settled();
  expect(await countsOf(sql, acme.id, "view")).toEqual({ "view mail": 1 });
});

describe("a search without results", () => {
  test("is counted once per reader, from a cached page too, and nothing else is", async () => {
    const { ask, settled } = instance();
    const [one, another] = [{ "x-forwarded-for": newNetwork() }, { "x-forwarded-for": newNetwork() }];
    for (const reader of [one, another, one, another]) expect((await ask("/releases?q=%20Zebra%20", reader)).status).toBe(200);
    await ask("/releases?q=zebra", one);
    await ask("/releases?q=dark", one);
    await ask("/releases?q=zebra&page=2", one);
    await ask("/releases?tag=never", one);
    await ask("/releases?q=", one);
    await ask("/releases.json?q=gnu", one);
    await ask("/releases.md?q=gnu", one);
    await ask("/releases?q=gnu", { ...one, accept: "text/markdown" });
    await settled();
    expect(await countsOf(sql, acme.id)).toEqual({ "search_none zebra": 2 });
  });
});
