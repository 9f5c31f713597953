import { describe, expect } from "vitest";
import { appearanceChoices, dateFormats, defaultAppearance, fonts, layouts, themes } from "#contract/appearance.ts";
import { locales } from "#contract/locales.ts";
import { connect } from "./support/database.ts";
import { outcome, refused } from "./support/refusal.ts";
import { type Person, type World, test, testEach } from "./support/world.ts";

const sql = connect();
const save = ({ as, acme }: World, person: Person, settings: unknown, pictures: unknown = {}) =>
  as(person, (me) => me`select (public.save_appearance(${acme}, ${settings as never}, ${pictures as never})).*`);
const byHand = ({ as, acme }: World, settings: unknown) =>
  as("owner", (me) => me`insert into public.appearances (workspace_id, settings) values (${acme}, ${settings as never})`);

describe("appearance", () => {
  const all = {
    ...defaultAppearance,
    accent: "#ff5a5f",
    links: [
      { label: "Docs", url: "https://docs.acme.example/start?x=1#y" },
      { label: "Write to us", url: "mailto:help@acme.example" },
    ],
    footer: "© Acme GmbH — Hauptstraße 1, Wien",
    branding: false,
    locale: "ar",
  };

  test("accepts every field of the contract, and keeps those not sent", async ({ world }) => {
    expect((await save(world, "owner", all))[0]!.settings).toEqual(all);
    const [row] = await save(world, "admin", { accent: null, theme: "dark" }, { favicon_url: "/storage/v1/object/public/logos/x/y.png" });
    expect(row).toMatchObject({
      settings: { ...all, accent: null, theme: "dark" },
      favicon_url: "/storage/v1/object/public/logos/x/y.png",
      logo_dark_url: null,
    });
    const [again] = await save(world, "owner", { links: [] });
    expect(again).toMatchObject({ settings: { links: [], theme: "dark" }, favicon_url: "/storage/v1/object/public/logos/x/y.png" });
    expect((await save(world, "owner", {}, { favicon_url: null }))[0]).toMatchObject({ favicon_url: null });
  });

  test("accepts each value of each list in the contract", async () => {
    for (const [field, values] of Object.entries({
      theme: themes,
      layout: layouts,
      font: fonts,
      date_format: dateFormats,
      locale: locales,
    }))
      for (const value of values) {
        const [row] = await sql`select private.appearance_faults(${{ [field]: value } as never}) as faults`;
        expect([field, value, row!.faults]).toEqual([field, value, {}]);
      }
  });

  const refusals: [string, unknown, string][] = [
    ["accent", "red;background:url(//x)", "Please enter a colour as #rrggbb, e.g. #0b6b62"],
    ["accent", "#0B6B62", "Please enter a colour as #rrggbb, e.g. #0b6b62"],
    ["accent", "#fff", "Please enter a colour as #rrggbb, e.g. #0b6b62"],
    ["accent", "#0b6b62\n", "Please enter a colour as #rrggbb, e.g. #0b6b62"],
    ["accent", ["#0b6b62"], "Please enter a colour as #rrggbb, e.g. #0b6b62"],
    ["theme", "blue", "Please choose from the list"],
    ["theme", null, "Please choose from the list"],
    ["theme", ["dark"], "Please choose from the list"],
    ["theme", [], "Please choose from the list"],
    ["layout", {}, "Please choose from the list"],
    ["font", "Comic Sans", "Please choose from the list"],
    ["locale", "tlh", "Please choose from the list"],
    ["branding", "yes", "Please choose from the list"],
    ["footer", "x".repeat(201), "Please use at most 200 characters"],
    ["footer", "one\ntwo", "Please use at most 200 characters"],
    ["footer", 7, "Please use at most 200 characters"],
    ["links", "x", "Please use at most 6 links"],
    ["links", Array.from({ length: 7 }, () => ({ label: "x", url: "https://x.example" })), "Please use at most 6 links"],
    ["links", [{ label: "", url: "https://x.example" }], "Please enter the link's text"],
    ["links", [{ label: "x".repeat(41), url: "https://x.example" }], "Please enter the link's text"],
    ["links", [{ label: "x", url: "https://x.example", style: "color:red" }], "Please enter the link's text"],
    ["links", ["x"], "Please enter the link's text"],
    ...[
      "javascript:alert(1)",
      "data:text/html,x",
      "//x.example",
      "/x",
      "https://",
      " javascript:alert(1)",
      "https://x.example/\u0001",
      7,
    ].map((url): [string, unknown, string] => [
      "links",
      [{ label: "x", url }],
      "Please enter a URL that starts with https://, http:// or mailto:",
    ]),
    ["css", "body{}", "There is no such setting"],
  ];
  testEach(refusals)("%s %j is refused with a sentence, also without the API", async (world, field, value, sentence) => {
    expect(await refused(save(world, "owner", { [field]: value }))).toMatchObject({
      code: "validation_failed",
      detail: { [field]: sentence },
    });
    expect(await outcome(byHand(world, { [field]: value }))).toBe("23514");
  });

  testEach([[[]], ["x"], [null]])("%j is refused as an appearance", async (world, settings) => {
    expect(await outcome(save(world, "owner", settings))).toBe("validation_failed");
    expect(await outcome(byHand(world, settings))).toMatch(/23514|23502/);
  });

  test("accepts images from our storage or the web", async ({ world }) => {
    for (const url of ["//evil.example/x.png", "javascript:alert(1)", `/${"x".repeat(2_048)}`])
      for (const picture of ["logo_dark_url", "favicon_url"])
        expect(await outcome(save(world, "owner", {}, { [picture]: url }))).toBe("23514");
  });

  test("accepts what the contract accepts: 500 links of all kinds", async () => {
    const hosts = ["acme.example", "[::1]:8080", "xn--bcher-kva.example", "a.b.c.example", "bücher.example", "127.0.0.1"];
    const ends = ["", "/", "/a b", "/%00", "?q=ü&x='\"<>", "#ß", "/\t\n", "/x@y", "/..//"];
    const urls = [
      ...hosts.flatMap((host) => ends.flatMap((end) => [`https://${host}${end}`, `HTTP://${host}${end}`, `https://me:pw@${host}${end}`])),
      ...ends.map((end) => `mailto:you@acme.example${end}`),
    ];
    for (const url of urls) {
      const read = appearanceChoices.partial().safeParse({ links: [{ label: " a\u0000\nb ", url }] });
      if (!read.success) continue;
      const [row] = await sql`select private.appearance_faults(${read.data as never}) as faults`;
      expect([url, row!.faults]).toEqual([url, {}]);
    }
  });
});

test("keeps both of two concurrent saves of different fields", async ({ world }) => {
  await save(world, "owner", { theme: "dark", accent: "#112233" });
  await save(world, "admin", { font: "geist" });
  const [row] = await world.tx`select settings from public.appearances where workspace_id = ${world.acme}`;
  expect(row!.settings).toEqual({ theme: "dark", accent: "#112233", font: "geist" });
});

test("queues a replaced image for deletion, of this workspace only", async ({ world }) => {
  const { acme, globex, tx } = world;
  const at = (workspace: string, name: string) => `/storage/v1/object/public/logos/${workspace}/${name}.png`;
  await save(world, "owner", {}, { logo_dark_url: at(acme, "dark"), favicon_url: at(globex, "theirs") });
  await save(world, "owner", {}, { logo_dark_url: at(acme, "other"), favicon_url: at(acme, "icon") });
  await save(world, "owner", {}, { favicon_url: null });
  const queued =
    await tx`select path from private.discarded_files where bucket = 'logos' and path like any (${[`${acme}/%`, `${globex}/%`]})`;
  expect(queued.map(({ path }) => path as string).toSorted()).toEqual([`${acme}/dark.png`, `${acme}/icon.png`]);
});

test("is empty in a new workspace, which shows whole posts; readers get what is stored", async ({ world }) => {
  const { acme, tx, as } = world;
  expect(await tx`select from public.appearances where workspace_id = ${acme}`).toHaveLength(0);
  await as("owner", (me) => me`select public.change_workspace(${acme}, '{"public_changelog_enabled": true}')`);
  const [{ subdomain } = { subdomain: "" }] = await tx<
    { subdomain: string }[]
  >`select subdomain::text from public.workspaces where id = ${acme}`;
  const told = async () => (await as("anon", (me) => me`select appearance from private.find_workspace(${subdomain})`))[0]!.appearance;
  expect(await told()).toEqual({ settings: {}, logo_dark_url: null, favicon_url: null });
  await save(world, "owner", { locale: "ja" }, { favicon_url: "/f.png" });
  expect(await told()).toEqual({ settings: { locale: "ja" }, logo_dark_url: null, favicon_url: "/f.png" });
});
