import { afterEach, beforeEach, describe, expect, test, vi } from "vitest";
import type { Sql } from "../queries/database.ts";
import { addressesBelow } from "../site.ts";
import { Counts } from "./counts.ts";
import type { CountEvent } from "./events.ts";
import { reportAt } from "./pixel.ts";

const firefox = "Mozilla/5.0 (X11; Linux x86_64; rv:140.0) Gecko/20100101 Firefox/140.0";

beforeEach(() => vi.useFakeTimers());
afterEach(() => vi.useRealTimers());

async function told(
  path: string,
  given: Record<string, string> = {},
  { method = "GET", missed, countries = true }: { method?: string; missed?: string; countries?: boolean } = {},
) {
  const events: CountEvent[] = [];
  const sql = (async (_query: unknown, json: string) => void events.push(...(JSON.parse(json) as CountEvent[]))) as unknown as Sql;
  const { isOurs } = addressesBelow("https://tidings.example:8443");
  const counts = new Counts({ sql, proxies: 1, countries, isOurs, write: () => expect.unreachable(), waitUntil: () => {} });
  const headers = { "user-agent": firefox, "x-forwarded-for": "192.0.2.1", ...given };
  const request = new Request(`https://acme.tidings.example:8443${path}`, { method, headers });
  const url = new URL(request.url);
  const report = reportAt(url.pathname);
  const place = { subdomain: "acme", host: url.hostname };
  if (report === undefined) counts.page(request, place, missed, "2026-03-01");
  else counts.picture(request, url.searchParams, place, report, "2026-03-01");
  await vi.advanceTimersByTimeAsync(1_000);
  return events;
}
const reader = { address: "192.0.2.1", agent: firefox };
const own = "https://acme.tidings.example:8443/releases/dark-mode";

describe("a picture", () => {
  test.each([
    ["/releases/dark-mode.gif", { what: "view", slug: "dark-mode", source: "page" }],
    ["/releases/dark-mode.link.gif", { what: "link_click", slug: "dark-mode", source: "widget" }],
    ["/releases/dark-mode.dismissed.gif", { what: "placement_dismissed", slug: "dark-mode", source: "widget" }],
    ["/releases/widget.shown.gif", { what: "widget_shown", source: "widget" }],
    ["/releases/widget.open.gif", { what: "widget_open", source: "widget" }],
    ["/releases/widget.gif", { what: "view", slug: "widget", source: "page" }],
    ["/releases/widget.link.gif", { what: "link_click", slug: "widget", source: "widget" }],
  ])("%s reports %j", async (path, event) => {
    expect(await told(path)).toEqual([{ ...event, subdomain: "acme", ...reader }]);
  });
  test.each([
    "/releases/widget.closed.gif",
    "/releases/Dark.gif",
    "/releases/a.b.gif",
    "/releases/.gif",
    `/releases/${"a".repeat(101)}.gif`,
  ])("nothing is counted at %s", (path) => expect(reportAt(path)).toBeUndefined());
  test.each<[string, string, Record<string, string>]>([
    ["mail", "?via=mail", {}],
    ["feed", "?via=feed", {}],
    ["chat", "?via=chat", {}],
    ["api", "?via=api", { "sec-fetch-dest": "image", referer: "https://own-page.example/" }],
    ["widget", "?via=widget", {}],
    ["api", "?via=api&via=mail", { referer: `${own}?via=mail` }],
    ["page", "?via=", { referer: `${own}?via=mail` }],
    ["page", "?via=bank", { referer: `${own}?via=mail` }],
    ["page", "?via=__proto__", {}],
    ["page", "?via=%00mail", {}],
    ["page", "?via=%ff%fe", {}],
    ["page", "?via=%", {}],
    ["page", `?via=${"mail".repeat(2_000)}`, {}],
    ["mail", "", { referer: `${own}?via=mail`, "sec-fetch-dest": "image" }],
    ["chat", "", { referer: `${own}?a=b&via=chat&c=d` }],
    ["feed", "", { referer: "https://tidings.example:8443/releases/dark-mode?workspace=acme&via=feed" }],
    ["page", "", { referer: `${own}?via=bank` }],
    ["page", "", { referer: `${own}?via=%6dail` }],
    ["page", "", { referer: `${own}?nova=1#via=mail` }],
    ["page", "", { referer: `${own}?vvia=mail` }],
    ["page", "", { referer: own }],
    ["page", "", {}],
    ["page", "", { referer: "not an address" }],
    ["widget", "", { referer: "https://elsewhere.example/?via=mail" }],
    ["widget", "", { referer: "https://globex.tidings.example:8443/releases/x?via=mail" }],
    ["widget", "", { referer: "https://acme.tidings.example.evil.example/?via=mail" }],
    ["widget", "", { origin: "https://elsewhere.example" }],
    ["widget", "", { "sec-fetch-dest": "empty", referer: "https://tidings.example:8443/dev/widget-host" }],
    ["widget", "", { "sec-fetch-dest": "empty", origin: "null" }],
  ])("comes from %s with %s and %j", async (source, query, headers) => {
    expect((await told(`/releases/dark-mode.gif${query}`, headers)).map((event) => event.source)).toEqual([source]);
  });
  test.each<[Record<string, string>, Partial<CountEvent>]>([
    [
      { "cf-ipcountry": "DE", "accept-language": "de-AT,de;q=0.9,en;q=0.8" },
      { country: "DE", language: "de" },
    ],
    [{ "cf-ipcountry": "T1", "accept-language": "*" }, {}],
    [{ "cf-ipcountry": "de", "accept-language": "EN" }, { language: "en" }],
    [{ "cf-ipcountry": "DEU", "accept-language": "gsw-CH" }, { language: "gsw" }],
    [{ "x-country": "DE", "accept-language": "x-klingon" }, {}],
    [{ "cf-ipcountry": "DE'; drop", "accept-language": `${"a".repeat(8_000)}` }, {}],
  ])("of a reader with %j tells %j", async (headers, place) => {
    const [event] = await told("/releases/dark-mode.gif", headers);
    expect({ country: event?.country, language: event?.language }).toEqual({ country: undefined, language: undefined, ...place });
  });
  test("has no country if the header isn't the reader's", async () => {
    const [event] = await told("/releases/dark-mode.gif", { "cf-ipcountry": "DE", "accept-language": "de" }, { countries: false });
    expect([event?.country, event?.language]).toEqual([undefined, "de"]);
  });
  test("truncates long user agents and addresses", async () => {
    const [event] = await told("/releases/dark-mode.gif", { "user-agent": "x".repeat(9_000), "x-forwarded-for": "9".repeat(9_000) });
    expect([event?.agent.length, event?.address.length]).toEqual([500, 64]);
  });
});

describe("a page", () => {
  const referrers = async (referer: string): Promise<unknown[]> =>
    (await told("/releases/dark-mode", { referer })).map(({ what, name }) => [what, name]);
  test.each([
    ["https://news.example/", "news.example"],
    ["https://News.Example:8080/a?b#c", "news.example"],
    ["http://xn--bcher-kva.example", "xn--bcher-kva.example"],
    ["https://news.example./", "news.example"],
    ["https://globex.tidings.example:8443/releases", "globex.tidings.example"],
    [`https://news.example/${"x".repeat(8_192)}`, "news.example"],
  ])("reached from %s counts %s", async (referer, host) => {
    expect(await referrers(referer)).toEqual([["referrer", host]]);
  });
  test.each([
    own,
    "https://tidings.example/dashboard",
    "android-app://com.example.mail/",
    "https://[2001:db8::1]/",
    "https://user@news.example/",
    "https://news_example/",
    "https://",
    "https:///x",
    "nonsense",
    `https://${"a".repeat(254)}/`,
    `https://${"a.".repeat(4_000)}/`,
    `https://${"9".repeat(8_000)}`,
  ])("reached from %s counts nothing", async (referer) => {
    expect(await referrers(referer)).toEqual([]);
  });
  test("without a result counts the term and the referrer", async () => {
    const events = await told("/releases?q=zebra", { referer: "https://news.example/" }, { missed: "zebra" });
    expect(events).toEqual([
      { what: "referrer", subdomain: "acme", name: "news.example", ...reader },
      { what: "search_none", subdomain: "acme", name: "zebra", ...reader },
    ]);
  });
});

test.each<[string, Record<string, string>, string?]>([
  ["Do Not Track", { dnt: "1" }],
  ["Global Privacy Control", { "sec-gpc": "1" }],
  ["a page that is fetched in advance", { "sec-purpose": "prefetch;prerender" }],
  ["the same of an older browser", { purpose: "prefetch" }],
  ["and of another", { "x-moz": "prefetch" }],
  ["HEAD", {}, "HEAD"],
])("%s is not counted anywhere", async (_name, headers, method = "GET") => {
  const asked = { referer: "https://news.example/", ...headers };
  for (const path of [
    "/releases/dark-mode.gif?via=mail",
    "/releases/dark-mode.link.gif",
    "/releases/widget.shown.gif",
    "/releases/widget.open.gif",
  ])
    expect(await told(path, asked, { method })).toEqual([]);
  expect(await told("/releases?q=zebra", asked, { method, missed: "zebra" })).toEqual([]);
});
