import { fireEvent, screen, waitFor, within } from "@testing-library/react";
import { describe, expect, test } from "vitest";
import { acme, ids, signedIn } from "../../../tests/support/web/fixtures.ts";
import {
  analyticsAddress as address,
  aPost,
  askedDays,
  noNumbers,
  noTotals,
  someNumbers,
  withAnalytics,
} from "../../../tests/support/web/analytics-numbers.ts";
import { matchingMedia } from "../../../tests/support/web/setup.ts";
import { renderApp } from "../../../tests/support/web/render-app.tsx";
import { type Asked, pending, refusal, stubApi } from "../../../tests/support/web/stub-api.ts";
import type { Analytics } from "#contract/analytics.ts";
import { dayOf, lastDays } from "./range.ts";

const call = `GET /api/workspaces/${ids.acme}/analytics`;
const open = { ...acme, public_changelog_enabled: true };
const stubs = (more: object = {}, changes: Partial<Analytics> = {}) => ({
  ...signedIn([open]),
  "GET /api/workspaces/*/add-ons": withAnalytics,
  [call]: ({ path }: Asked) => someNumbers(askedDays(path).from, askedDays(path).to, changes),
  ...more,
});
const figure = (name: RegExp) => screen.findByRole<HTMLInputElement>("radio", { name });
const chart = () => screen.findByRole("slider");
const table = (name: string) => screen.findByRole("table", { name });
const cells = (row: HTMLElement) => [...row.querySelectorAll("th, td")].map(({ textContent }) => textContent?.replaceAll(/\s/g, " "));
const rows = async (name: string) =>
  within(await table(name))
    .getAllByRole("row")
    .slice(1);
const titles = async () => (await rows("Posts")).map((row) => row.querySelector("a, span")!.textContent);
const january = "?from=2026-01-01&to=2026-01-31";

describe("the numbers", () => {
  test("are loading, then there: four of them, each with what it was before in words", async () => {
    const answer = pending<object>();
    stubApi(stubs({ [call]: () => answer.promise }));
    renderApp(`${address}${january}`);
    await screen.findByText("Loading the numbers");
    const previous = { ...noTotals, views: 200, readers: 400, clicks: 30 };
    answer.resolve(someNumbers("2026-01-01", "2026-01-31", { previous }));
    expect((await figure(/^Views 397/)).checked).toBe(true);
    expect((await figure(/^Views 397/)).closest("label")!.textContent).toBe("Views 397 ↑ 99 % more than the 200 before");
    expect((await figure(/^Readers 246/)).closest("label")!.textContent).toBe("Readers 246 ↓ 39 % fewer than the 400 before");
    expect((await figure(/^Widget opens/)).closest("label")!.textContent).toBe("Widget opens 124 new");
    expect((await figure(/^Clicks/)).closest("label")!.textContent).toBe("Clicks 30 = as many as the 30 before");
  });

  test("that are those of every day, added up", async () => {
    stubApi(stubs());
    renderApp(`${address}${january}`);
    const days = await rows("Each day");
    expect(days).toHaveLength(31);
    const sum = days.reduce((total, day) => total + Number(cells(day)[1]), 0);
    expect(sum).toBe(397);
    expect(screen.getByText("397 views in all")).toBeTruthy();
  });

  test("of more than 400 days are sums of weeks", async () => {
    stubApi(stubs());
    renderApp(`${address}?from=2024-01-01&to=2026-01-31`);
    const weeks = await rows("Each week");
    expect(weeks).toHaveLength(109);
    expect(cells(weeks[0]!).slice(0, 2)).toEqual(["Jan 1 – 7, 2024", "91"]);
    const sum = weeks.reduce((total, week) => total + Number(cells(week)[1]), 0);
    expect((await figure(/^Views/)).closest("label")!.textContent).toContain(sum.toLocaleString());
    await screen.findByRole("heading", { name: "Views by week" });
  });

  test("there are none yet: it says what will be, and leads to page and widget", async () => {
    stubApi(stubs({ [call]: ({ path }: Asked) => noNumbers(askedDays(path).from, askedDays(path).to) }));
    renderApp(address);
    await screen.findByText("No numbers yet");
    const page = await screen.findByRole("link", { name: /Open your page/ }); // once the configuration says which host
    expect(page.getAttribute("href")).toMatch(/^https?:\/\/acme\./);
    expect(screen.getByRole("link", { name: "Set up the widget" }).getAttribute("href")).toBe(`/workspace/${ids.acme}/widget`);
    expect(screen.queryByRole("slider")).toBeNull();
  });

  test("none yet, and the page is closed: it leads to where it is opened", async () => {
    stubApi(stubs({ ...signedIn([acme]), "GET /api/workspaces/*/add-ons": withAnalytics, [call]: noNumbers("2026-01-01", "2026-01-31") }));
    renderApp(`${address}${january}`);
    expect((await screen.findByRole("link", { name: "Go to the dashboard" })).getAttribute("href")).toBe(
      `/workspace/${ids.acme}/dashboard`,
    );
  });

  test("none of these days, though there were others", async () => {
    const quiet = { ...noNumbers("2026-01-01", "2026-01-31"), since: "2025-11-03" };
    stubApi(stubs({ [call]: quiet }));
    renderApp(`${address}${january}`);
    await chart();
    for (const words of [
      "No post was read, and none was mailed.",
      "Nothing was read.",
      "Nobody searched in vain.",
      /Counted since Nov 3, 2025/,
    ])
      expect(screen.getByText(words)).toBeTruthy();
  });

  test("that could not be read are asked for again", async () => {
    const api = stubApi(stubs({ [call]: () => refusal("unavailable") }));
    const { user } = renderApp(`${address}${january}`);
    const alert = (await screen.findByText("The numbers could not be read")).closest<HTMLElement>("[role=alert]")!;
    api.set(stubs());
    await user.click(within(alert).getByRole("button", { name: "Try again" }));
    await chart();
  });
});

describe("the days", () => {
  const today = () => dayOf(Date.now());

  test("are the last thirty; others are chosen, stand in the address, and Back leads back", async () => {
    const api = stubApi(stubs());
    const { user, router } = renderApp(address);
    await chart();
    const asked = () => api.to(call).map(({ path }) => askedDays(path));
    expect(asked()).toEqual([lastDays(30, today())]);
    for (const [name, days] of [
      ["7 days", 7],
      ["90 days", 90],
      ["12 months", 365],
    ] as const) {
      await user.click(screen.getByRole("radio", { name }));
      await waitFor(() => expect(asked().at(-1)).toEqual(lastDays(days, today())));
      expect(router.state.location.search).toBe(`?range=${days}`);
    }
    await router.navigate(-1);
    await waitFor(() => expect(screen.getByRole<HTMLInputElement>("radio", { name: "90 days" }).checked).toBe(true));
  });

  test("until others are there, those before stay in sight", async () => {
    const answer = pending<object>();
    const api = stubApi(stubs());
    const { user } = renderApp(`${address}${january}`);
    await figure(/^Views 397/);
    api.set({ [call]: () => answer.promise });
    await user.click(screen.getByRole("radio", { name: "7 days" }));
    expect((await figure(/^Views 397/)).closest("[aria-busy=true]")).toBeTruthy();
    const { from, to } = lastDays(7, today());
    answer.resolve(someNumbers(from, to));
    await figure(/^Views 91/);
    expect(screen.queryByText("Loading the numbers")).toBeNull();
  });

  test("that failed do not pass for those before", async () => {
    const api = stubApi(stubs());
    const { user } = renderApp(`${address}${january}`);
    await figure(/^Views 397/);
    api.set({ [call]: () => refusal("unavailable") });
    await user.click(screen.getByRole("radio", { name: "7 days" }));
    await screen.findByText("The numbers could not be read");
    expect(screen.queryByText("397")).toBeNull();
  });

  test("of one's own: typed, refused at the field in the contract's words, and nothing typed is lost", async () => {
    const api = stubApi(stubs());
    const { user, router } = renderApp(`${address}${january}`);
    await chart();
    const [first, last] = [screen.getByLabelText<HTMLInputElement>("First day"), screen.getByLabelText<HTMLInputElement>("Last day")];
    expect([first.value, last.value]).toEqual(["2026-01-01", "2026-01-31"]);
    const show = () => user.click(screen.getByRole("button", { name: "Show" }));
    const type = (from: string, to: string) => {
      fireEvent.change(first, { target: { value: from } });
      fireEvent.change(last, { target: { value: to } });
    };
    const said = (field: HTMLInputElement) => document.getElementById(field.getAttribute("aria-describedby") ?? "")?.textContent;
    const asked = api.to(call).length;

    type("2026-03-01", "2026-02-01");
    await show();
    expect([said(first), said(last)]).toEqual([undefined, "The last day must not be before the first"]);
    expect([first.value, last.value, last.getAttribute("aria-invalid")]).toEqual(["2026-03-01", "2026-02-01", "true"]);
    type("2016-01-01", "2026-02-01");
    expect(said(last)).toBeUndefined();
    await show();
    expect(said(first)).toBe("Please choose at most three years");
    type("1999-12-31", "2000-02-01");
    await show();
    expect(said(first)).toBe("Please choose a day after 1999");
    type("", "2026-02-01");
    await show();
    expect(said(first)).toBe("Please use a day such as 2026-01-31");
    expect(router.state.location.search).toBe(january);
    expect(api.to(call)).toHaveLength(asked);

    type("2026-02-01", "2026-02-10");
    await show();
    await waitFor(() => expect(router.state.location.search).toBe("?from=2026-02-01&to=2026-02-10"));
    await waitFor(() => expect(askedDays(api.to(call).at(-1)!.path)).toEqual({ from: "2026-02-01", to: "2026-02-10" }));
  });

  test.each([
    ["?from=2026-03-01&to=2026-02-01", "The last day must not be before the first"],
    ["?from=2026-03-01", "Please use a day such as 2026-01-31"],
    ["?from=2026-03-01T23:30:00%2B02:00&to=2026-03-05", "Please use a day such as 2026-01-31"],
  ])("%s in the address asks for nothing and says why", async (search, words) => {
    const api = stubApi(stubs());
    const { user } = renderApp(`${address}${search}`);
    await screen.findByText(words);
    expect(api.to(call)).toEqual([]);
    await user.click(screen.getByRole("radio", { name: "30 days" }));
    await chart();
  });

  test("a range that is none is the usual one", async () => {
    const api = stubApi(stubs());
    renderApp(`${address}?range=10000`);
    await chart();
    expect(api.to(call).map(({ path }) => askedDays(path))).toEqual([lastDays(30, today())]);
  });
});

describe("the line", () => {
  test("is gone along by keyboard, and each point is said", async () => {
    stubApi(stubs());
    const { user } = renderApp(`${address}${january}`);
    const line = await chart();
    expect(line.getAttribute("aria-label")).toBe("Views by day");
    line.focus();
    const said = () => line.getAttribute("aria-valuetext");
    expect(said()).toBe("Sat, Jan 31, 2026: 12 views");
    await user.keyboard("{ArrowLeft}");
    expect(said()).toBe("Fri, Jan 30, 2026: 11 views");
    expect(within(line).getByText("11 views")).toBeTruthy();
    await user.keyboard("{Home}");
    expect([said(), line.getAttribute("aria-valuenow")]).toEqual(["Thu, Jan 1, 2026: 10 views", "0"]);
    await user.keyboard("{ArrowLeft}");
    expect(said()).toBe("Thu, Jan 1, 2026: 10 views");
    await user.keyboard("{PageUp}{ArrowRight}");
    expect(said()).toBe("Fri, Jan 9, 2026: 11 views");
    await user.keyboard("{End}");
    expect(line.getAttribute("aria-valuenow")).toBe("30");
    await user.keyboard("{Escape}");
    expect(within(line).queryByText("12 views")).toBeNull();
  });

  test("draws the number that is chosen, which stands in the address", async () => {
    stubApi(stubs());
    const { user, router } = renderApp(`${address}${january}`);
    await user.click(await figure(/^Clicks/));
    await screen.findByRole("heading", { name: "Clicks by day" });
    expect((await chart()).getAttribute("aria-valuetext")).toBe("Sat, Jan 31, 2026: 0 clicks");
    expect(router.state.location.search).toBe(`${january}&show=clicks`);
  });

  test("is a table where that is wanted", async () => {
    stubApi(stubs());
    const { user } = renderApp(`${address}${january}`);
    await chart();
    await user.click(screen.getByRole("button", { name: "Show as table" }));
    expect(screen.queryByRole("slider")).toBeNull();
    expect((await table("Each day")).closest(".visually-hidden")).toBeNull();
    await user.click(screen.getByRole("button", { name: "Show as line" }));
    expect((await table("Each day")).closest(".visually-hidden")).toBeTruthy();
    await chart();
  });

  test("has the days before beside it once they are wanted", async () => {
    const api = stubApi(stubs());
    const { user } = renderApp(`${address}${january}`);
    const line = await chart();
    expect(api.to(call)).toHaveLength(1);
    await user.click(screen.getByRole("button", { name: "Days before" }));
    await waitFor(() => expect(askedDays(api.to(call).at(-1)!.path)).toEqual({ from: "2025-12-01", to: "2025-12-31" }));
    line.focus();
    await user.keyboard("{Home}");
    await within(line).findByText("10 views before");
  });

  test("of today says that the day is not over", async () => {
    stubApi(stubs());
    renderApp(address);
    expect((await chart()).getAttribute("aria-valuetext")).toMatch(/, in part: \d+ views$/);
  });
});

describe("the posts", () => {
  const posts = [
    aPost(1, { title: "Beta 10", views: 9, clicks: 5, mails_sent: 1 }),
    aPost(2, { title: "beta 9", views: 7, clicks: 8 }),
    aPost(3, { title: "", views: 5, clicks: 0 }),
    { ...aPost(4, { title: "", views: 100, clicks: 100 }), id: null, slug: null, published_at: null },
  ];

  test("are sorted by a column and turned round; what is gone stands last", async () => {
    stubApi(stubs({}, { posts }));
    const { user } = renderApp(`${address}${january}`);
    expect(await titles()).toEqual(["Beta 10", "beta 9", "Untitled", "Posts that are gone"]);
    const inTable = within(await table("Posts"));
    const head = (name: string) => inTable.getByRole("columnheader", { name });
    const sort = (name: string) => user.click(within(head(name)).getByRole("button"));
    expect(head("Views").getAttribute("aria-sort")).toBe("descending");
    await sort("Clicks");
    expect(await titles()).toEqual(["beta 9", "Beta 10", "Untitled", "Posts that are gone"]);
    expect([head("Views").getAttribute("aria-sort"), head("Clicks").getAttribute("aria-sort")]).toEqual([null, "descending"]);
    await sort("Clicks");
    expect(head("Clicks").getAttribute("aria-sort")).toBe("ascending");
    expect(await titles()).toEqual(["Untitled", "Beta 10", "beta 9", "Posts that are gone"]);
    await sort("Post");
    expect(await titles()).toEqual(["Untitled", "beta 9", "Beta 10", "Posts that are gone"]);
  });

  test("are sorted by a field of choices on a phone", async () => {
    matchingMedia.add("(max-width: 767.98px)");
    stubApi(stubs({}, { posts }));
    const { user } = renderApp(`${address}${january}`);
    expect(within(await table("Posts")).queryAllByRole("button")).toEqual([]);
    await user.selectOptions(screen.getByRole("combobox", { name: "Sort by" }), "Clicks");
    expect(await titles()).toEqual(["beta 9", "Beta 10", "Untitled", "Posts that are gone"]);
    await user.click(screen.getByRole("button", { name: "Reverse the order" }));
    expect(await titles()).toEqual(["Untitled", "Beta 10", "beta 9", "Posts that are gone"]);
  });

  test("lead to themselves, and have all their numbers", async () => {
    stubApi(stubs({}, { posts: [aPost(1, { views: 1234, widget_opens: 5, clicks: 6, mails_sent: 7, mails_followed: 8 })] }));
    renderApp(`${address}${january}`);
    const [row] = await rows("Posts");
    expect(within(row!).getByRole("link").getAttribute("href")).toBe(`/workspace/${ids.acme}/changelog/edit/${aPost(1).id}`);
    expect(cells(row!)).toEqual(["Post 1Jan 5, 2026", "1,234", "5", "6", "7", "8"]);
  });

  test("are ten, and all when wanted", async () => {
    stubApi(stubs({}, { posts: Array.from({ length: 25 }, (_, index) => aPost(index, { views: 25 - index })) }));
    const { user } = renderApp(`${address}${january}`);
    expect(await rows("Posts")).toHaveLength(10);
    await user.click(screen.getByRole("button", { name: "Show all 25 posts" }));
    await waitFor(async () => expect(await rows("Posts")).toHaveLength(25));
    await user.click(screen.getByRole("button", { name: "Show the first ten" }));
    await waitFor(async () => expect(await rows("Posts")).toHaveLength(10));
  });
});

test("where posts were read, who led there, what was not found, countries and languages are named", async () => {
  stubApi(stubs());
  renderApp(`${address}${january}`);
  const lines = async (name: string) => (await rows(name)).map(cells);
  expect(await lines("Where posts were read")).toEqual([
    ["Your page", "250"],
    ["The widget", "70"],
  ]);
  expect(await lines("Where readers came from")).toEqual([["news.example", "31"]]);
  expect(await lines("What to write next")).toEqual([["single sign-on", "4"]]);
  expect(await lines("Countries")).toEqual([
    ["Germany", "12"],
    ["All others", "3"],
  ]);
  expect(await lines("Languages")).toEqual([["German", "9"]]);
  const reach = (await screen.findByRole("heading", { name: "The widget's reach" })).closest("section")!;
  expect(reach.textContent).toContain("Shown620Opened124 20 % of those who saw itLinks followed30");
  const mails = screen.getByRole("heading", { name: "By mail" }).closest("section")!;
  expect(mails.textContent).toContain("Subscribers: 47 more than before");
  expect(mails.textContent).toContain("Mails sent200 new");
});

test.each([
  ["Days", "days"],
  ["Posts", "posts"],
  ["Where posts were read", "sources"],
  ["Where readers came from", "referrers"],
  ["What to write next", "searches"],
  ["Countries", "countries"],
  ["Languages", "languages"],
])("%s as a file: of the days that are shown; a refusal is said", async (title, name) => {
  const api = stubApi(stubs({ [`${call}.csv`]: () => refusal("rate_limited") }));
  const { user } = renderApp(`${address}${january}`);
  await user.click(await screen.findByRole("button", { name: `CSV: ${title}` }));
  await screen.findByText("The table could not be exported");
  const [asked] = api.to(`${call}.csv`);
  expect(Object.fromEntries(new URLSearchParams(asked!.path.split("?")[1]))).toEqual({ table: name, from: "2026-01-01", to: "2026-01-31" });
});
