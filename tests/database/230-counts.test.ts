import { describe, expect } from "vitest";
import { browser, buyAnalytics, countedThen, openWithPost, pageView, type Told } from "./support/reading.ts";
import { inDays, pastMidnight, type Person, type World, test, testEach } from "./support/world.ts";

await pastMidnight();

const views = async ({ as, acme }: World, person: Person = "viewer") =>
  (
    await as(person, (me) => me`select v.views from json_to_recordset(public.workspace_stats(${acme}) #> '{views,posts}') as v (views int)`)
  ).map((row) => row.views);

async function openToReaders(world: World) {
  const { post, subdomain, rollUp } = await openWithPost(world);
  const read = async (address = "203.0.113.7", agent: string | null = browser, slug = post.slug) =>
    (
      await world.as(
        "anon",
        (me) => me`select private.count_events(${pageView(subdomain, slug, address, agent)}::text::jsonb) = 1 as counted`,
      )
    )[0]!.counted as boolean;
  return { post, subdomain, read, rollUp };
}

describe("a view counts", () => {
  test("once per reader and day", async ({ world }) => {
    const { read, rollUp } = await openToReaders(world);
    await buyAnalytics(world);
    expect([await read(), await read(), await read("203.0.113.8"), await read("203.0.113.7", `${browser} Edg/140`)]).toEqual([
      true,
      false,
      true,
      true,
    ]);
    expect(await views(world)).toEqual([]);
    await rollUp();
    expect(await views(world)).toEqual([3]);
  });

  test("again on another day, with another salt; yesterday's readers are deleted", async ({ world }) => {
    const { read, rollUp } = await openToReaders(world);
    await world.tx`delete from private.view_salts`;
    await read();
    await world.tx`update private.view_salts set day = day - 1`;
    await world.tx`update private.view_readers set day = day - 1`;
    await world.tx`update private.count_queue set day = day - 1`;
    expect(await read()).toBe(true);
    expect(await world.tx`select from private.view_salts`).toHaveLength(1);
    await rollUp();
    expect(await world.tx`select from private.view_readers where day < (now() at time zone 'utc')::date`).toHaveLength(0);
    await buyAnalytics(world);
    expect(await views(world)).toEqual([2]);
  });

  testEach([
    null,
    "",
    "Googlebot/2.1",
    "curl/8.5",
    "Slackbot-LinkExpanding 1.0",
    "facebookexternalhit/1.1",
    "HeadlessChrome/140",
    "Feedly/1.0",
    "python-requests/2.32",
  ])("but not for the bot %j", async (world, agent) => {
    const { told, counts } = await openWithPost(world);
    expect(await told({ agent }, { agent, what: "widget_shown" }, { agent, what: "search_none", name: "dark mode" })).toBe(0);
    expect([await counts("view"), await counts("reader"), await counts("widget_shown"), await counts("search_none")]).toEqual([
      {},
      {},
      {},
      {},
    ]);
  });

  test("on a phone whose maker's name ends like a bot's", async ({ world }) => {
    const agent = "Mozilla/5.0 (Linux; Android 11; CUBOT NOTE 20) AppleWebKit/537.36 Chrome/140.0 Mobile Safari/537.36";
    const { told } = await openWithPost(world);
    expect([await told({ agent }), await told({ address: "203.0.113.8", agent: `${agent} Googlebot/2.1` })]).toEqual([1, 0]);
  });

  test("at most a thousand times from one network, however many readers it claims", async ({ world }) => {
    const { told } = await openWithPost(world);
    const played = (first: number) => Array.from({ length: 340 }, (_, index): Told => ({ agent: `${browser} ${first + index}` }));
    expect([await told(...played(0)), await told(...played(340)), await told(...played(680))]).toEqual([340, 340, 320]);
    expect([await told(), await told({ agent: `${browser} anew` }), await told({ address: "203.0.113.8" })]).toEqual([0, 0, 1]);
    // The widget has a separate limit of a thousand.
    expect(await told({ what: "widget_shown" })).toBe(1);
  });

  test("only for a post that readers can see", async ({ world }) => {
    const { read, post, told, subdomain } = { ...(await openToReaders(world)), ...(await openWithPost(world)) };
    const draft = await world.post({ title: "Draft" });
    const waiting = await world.post({ title: "Waiting", publish_at: inDays(1) });
    expect([
      await read("203.0.113.7", browser, draft.slug),
      await read("203.0.113.7", browser, waiting.slug),
      await read("203.0.113.7", browser, "nowhere"),
    ]).toEqual([false, false, false]);
    await world.as("owner", (me) => me`select public.save_post(${post.id}, '{"status": "archived"}')`);
    expect(await told({}, { what: "link_click" })).toBe(0);
    await world.as("owner", (me) => me`select public.change_workspace(${world.acme}, '{"public_changelog_enabled": false}')`);
    expect(await told({ what: "widget_shown", subdomain }, { what: "search_none", name: "dark mode" })).toBe(0);
  });
});

describe("a reader's event", () => {
  test("is counted by source, unknown ones as the page", async ({ world }) => {
    const { told, counts } = await openWithPost(world);
    const sources = ["page", "widget", "mail", "feed", "chat", "api", "carrier pigeon", null, ""];
    await told(...sources.map((source, index): Told => ({ source, address: `198.51.100.${index}` })));
    expect(await counts("view", "post")).toEqual({ page: 4, widget: 1, mail: 1, feed: 1, chat: 1, api: 1 });
    expect(await counts("reader")).toEqual(await counts("view"));
  });

  test("counts one reader of the workspace a day, with the first country and language", async ({ world }) => {
    const { told, counts } = await openWithPost(world);
    const other = await world.post({ title: "Other", status: "published" });
    const said = { source: "mail", country: "DE", language: "de-DE" };
    expect(await told(said, { slug: other.slug, source: "widget", country: "FR", language: "fr" })).toBe(2);
    expect([await counts("view"), await counts("reader"), await counts("country"), await counts("language")]).toEqual([
      { mail: 1, widget: 1 },
      { mail: 1 },
      { DE: 1 },
      { de: 1 },
    ]);
  });

  test("in the widget counts once each, and clicks by post", async ({ world }) => {
    const { told, counts } = await openWithPost(world);
    const ofPost = ["link_click", "placement_shown", "placement_dismissed", "placement_clicked"];
    const doings = ["widget_shown", "widget_open", ...ofPost].map((what): Told => ({ what, source: "widget" }));
    expect([await told(...doings, ...doings), await told(...doings)]).toEqual([6, 0]);
    for (const what of ofPost) expect(await counts(what, "post"), what).toEqual({ widget: 1 });
    expect([await counts("widget_shown"), await counts("widget_open"), await counts("link_click")]).toEqual([
      { widget: 1 },
      { widget: 1 },
      { widget: 1 },
    ]);
    expect([await counts("view"), await counts("reader")]).toEqual([{}, {}]);
  });

  testEach<[string, string, string | null]>([
    ["referrer", "News.YCombinator.com", "news.ycombinator.com"],
    ["referrer", "xn--mnchen-3ya.example", "xn--mnchen-3ya.example"],
    ["referrer", "münchen.example", null],
    ["referrer", "203.0.113.9", null],
    ["referrer", "example.com/path?q=1", null],
    ["referrer", `${"a".repeat(8_192)}.example`, null],
    ["referrer", "", null],
    ["search_none", "  Dark \t MODE ", "dark mode"],
    ["search_none", "somebody@example.com", null],
    ["search_none", "call 0171234567", null],
    ["search_none", "+49 171 234 56 78", null],
    ["search_none", "4111-1111-1111-1111", null],
    ["search_none", "release 12345", "release 12345"],
    ["search_none", "x".repeat(101), null],
    ["search_none", "ü".repeat(100), "ü".repeat(100)],
    ["search_none", "x".repeat(8_192), null],
    ["search_none", " ", null],
  ])("a %s by the name %j is %j", async (world, what, name, counted) => {
    const { told, counts } = await openWithPost(world);
    expect(await told({ what, name }, { what, name })).toBe(counted === null ? 0 : 1);
    expect(await counts(what)).toEqual(counted === null ? {} : { [counted]: 1 });
  });

  testEach<[string | null, string | null, Record<string, number>, Record<string, number>]>([
    ["de", "de-AT", { DE: 1 }, { de: 1 }],
    ["XX", "*", {}, {}],
    ["T1", "x", {}, {}],
    ["GER", "gsw", {}, { gsw: 1 }],
    [null, null, {}, {}],
    ["A".repeat(8_192), "a".repeat(8_192), {}, {}],
  ])("from the country %j in the language %j", async (world, country, language, countries, languages) => {
    const { told, counts } = await openWithPost(world);
    expect(await told({ country, language })).toBe(1);
    expect([await counts("country"), await counts("language")]).toEqual([countries, languages]);
  });

  testEach([
    "null",
    "{}",
    "[]",
    "7",
    '["view"]',
    "[null, [], {}]",
    '[{"what": "view"}]',
    '[{"what": {"a": 1}, "subdomain": ["x"], "address": 7, "agent": {}}]',
  ])("is rejected as %s and counts nothing", async (world, events) => {
    await openWithPost(world);
    const [row] = await world.as("anon", (me) => me`select private.count_events(${events}::text::jsonb) as counted`);
    expect(row!.counted).toBe(0);
  });

  test("is separate per workspace: the same reader counts in another one", async ({ world }) => {
    const { told } = await openWithPost(world);
    await world.as("rival", (me) => me`select public.change_workspace(${world.globex}, '{"public_changelog_enabled": true}')`);
    const [globex] = await world.tx`select subdomain::text from public.workspaces where id = ${world.globex}`;
    const foreign = await world.post({ workspace_id: world.globex, title: "Theirs", status: "published" });
    const subdomain = globex!.subdomain as string;
    expect(await told({ slug: foreign.slug }, { subdomain, slug: foreign.slug }, {})).toBe(2);
    await world.tx`select private.roll_up_counts()`;
    const rows = await world.tx`select workspace_id, post_id from public.daily_counts where what = 'view' and post_id is not null
        and workspace_id in (${world.acme}, ${world.globex}) and post_id = ${foreign.id}`;
    expect([...rows]).toEqual([{ workspace_id: world.globex, post_id: foreign.id }]);
  });
});

describe("reading the numbers", () => {
  test("covers only the last 30 days", async ({ world }) => {
    const { post } = await openWithPost(world);
    await buyAnalytics(world);
    const day = (ago: number) => inDays(-ago).toISOString().slice(0, 10);
    await countedThen(world, [{ post_id: post.id, day: day(30), n: 4 }]);
    expect(await views(world)).toEqual([]);
    await countedThen(world, [{ post_id: post.id, day: day(29), n: 2 }]);
    expect(await views(world)).toEqual([2]);
  });
});
