import { screen, waitFor, within } from "@testing-library/react";
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
import { renderApp } from "../../../tests/support/web/render-app.tsx";
import { type Asked, pending, stubApi } from "../../../tests/support/web/stub-api.ts";
import type { Analytics } from "#contract/analytics.ts";
import { toDay, lastDays } from "./range.ts";

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
const rows = async (name: string) =>
  within(await table(name))
    .getAllByRole("row")
    .slice(1);
const titles = async () => (await rows("Posts")).map((row) => row.querySelector("a, span")!.textContent);
const january = "?from=2026-01-01&to=2026-01-31";

describe("analytics figures", () => {
  test("load, then show four figures with their change", async () => {
    const answer = pending<object>();
    stubApi(stubs({ [call]: () => answer.promise }));
    renderApp(`${address}${january}`);
    await screen.findByText("Loading analytics");
    const previous = { ...noTotals, views: 200, readers: 400, clicks: 30 };
    answer.resolve(someNumbers("2026-01-01", "2026-01-31", { previous }));
    expect((await figure(/^Views 397/)).checked).toBe(true);
    expect((await figure(/^Views 397/)).closest("label")!.textContent).toBe("Views 397 ↑ 99% more than 200 before");
    expect((await figure(/^Readers 246/)).closest("label")!.textContent).toBe("Readers 246 ↓ 39% fewer than 400 before");
    expect((await figure(/^Widget opens/)).closest("label")!.textContent).toBe("Widget opens 124 new");
    expect((await figure(/^Clicks/)).closest("label")!.textContent).toBe("Clicks 30 = no change from 30 before");
  });

  test("there are none yet: it says what will be, and leads to page and widget", async () => {
    stubApi(stubs({ [call]: ({ path }: Asked) => noNumbers(askedDays(path).from, askedDays(path).to) }));
    renderApp(address);
    await screen.findByText("No data yet");
    const page = await screen.findByRole("link", { name: /Open your page/ }); // once the configuration says which host
    expect(page.getAttribute("href")).toMatch(/^https?:\/\/acme\./);
    expect(screen.getByRole("link", { name: "Set up the widget" }).getAttribute("href")).toBe(`/workspace/${ids.acme}/widget`);
    expect(screen.queryByRole("slider")).toBeNull();
  });
});

describe("analytics range", () => {
  const todayKey = () => toDay(Date.now());

  test("defaults to thirty days, is kept in the URL, and follows Back", async () => {
    const api = stubApi(stubs());
    const { user, router } = renderApp(address);
    await chart();
    const requestedDays = () => api.to(call).map(({ path }) => askedDays(path));
    expect(requestedDays()).toEqual([lastDays(30, todayKey())]);
    for (const [name, days] of [
      ["7 days", 7],
      ["90 days", 90],
      ["12 months", 365],
    ] as const) {
      await user.click(screen.getByRole("radio", { name }));
      await waitFor(() => expect(requestedDays().at(-1)).toEqual(lastDays(days, todayKey())));
      expect(router.state.location.search).toBe(`?range=${days}`);
    }
    await router.navigate(-1);
    await waitFor(() => expect(screen.getByRole<HTMLInputElement>("radio", { name: "90 days" }).checked).toBe(true));
  });
});

describe("analytics posts table", () => {
  const posts = [
    aPost(1, { title: "Beta 10", views: 9, clicks: 5, mails_sent: 1 }),
    aPost(2, { title: "beta 9", views: 7, clicks: 8 }),
    aPost(3, { title: "", views: 5, clicks: 0 }),
    { ...aPost(4, { title: "", views: 100, clicks: 100 }), id: null, slug: null, published_at: null },
  ];

  test("sorts by a column both ways, deleted posts last", async () => {
    stubApi(stubs({}, { posts }));
    const { user } = renderApp(`${address}${january}`);
    expect(await titles()).toEqual(["Beta 10", "beta 9", "Untitled", "Deleted posts"]);
    const inTable = within(await table("Posts"));
    const head = (name: string) => inTable.getByRole("columnheader", { name });
    const sort = (name: string) => user.click(within(head(name)).getByRole("button"));
    expect(head("Views").getAttribute("aria-sort")).toBe("descending");
    await sort("Clicks");
    expect(await titles()).toEqual(["beta 9", "Beta 10", "Untitled", "Deleted posts"]);
    expect([head("Views").getAttribute("aria-sort"), head("Clicks").getAttribute("aria-sort")]).toEqual([null, "descending"]);
    await sort("Clicks");
    expect(head("Clicks").getAttribute("aria-sort")).toBe("ascending");
    expect(await titles()).toEqual(["Untitled", "Beta 10", "beta 9", "Deleted posts"]);
    await sort("Post");
    expect(await titles()).toEqual(["Untitled", "beta 9", "Beta 10", "Deleted posts"]);
  });
});
