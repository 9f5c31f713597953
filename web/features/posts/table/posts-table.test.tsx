import { screen, waitFor } from "@testing-library/react";
import { describe, expect, test } from "vitest";
import { readQuery, writeQuery } from "./table-query.ts";
import {
  post,
  creators,
  twelve,
  stubs,
  open,
  titles,
  search,
  filter,
  choiceOf,
  range,
  byViews,
  asked,
} from "../../../../tests/support/web/posts-table-support.ts";
import { stubApi } from "../../../../tests/support/web/stub-api.ts";

describe("PostsTable", () => {
  test("shows all posts at first, most viewed first, ten per page", async () => {
    const { api } = await open();
    expect(titles()).toEqual(byViews(twelve).slice(0, 10));
    expect([choiceOf("Status"), choiceOf("Creator"), choiceOf("Sort")]).toEqual([
      "Any status",
      "Created by anyone",
      "Most viewed, last month",
    ]);
    expect([...filter("Status").options].map(({ text }) => text)).toEqual(["Any status", "Published", "Draft", "Scheduled", "Archived"]);
    expect([...filter("Creator").options].map(({ text }) => text)).toEqual(["Created by anyone", ...creators]);
    expect([...filter("Sort").options].map(({ text }) => text)).toEqual(["Most viewed, last month", "Recent activity"]);
    expect(screen.queryByRole("button", { name: "Clear filters" })).toBeNull();
    expect(asked(api)).toEqual([{ page: "1", limit: "10", status: "all", sort: "most_viewed_last_month" }]);
  });

  test.each([
    ["Status", "Published", "status:published", twelve.filter(({ status }) => status === "published")],
    ["Creator", "Grace Hopper", `owner:"Grace Hopper"`, twelve.filter(({ author_name }) => author_name === "Grace Hopper")],
    ["Creator", "O'Neil", `owner:"O'Neil"`, twelve.filter(({ author_name }) => author_name === "O'Neil")],
  ])("writes the filter %s '%s' as %s into the search and the URL", async (name, choice, token, expected) => {
    const { user, address: here } = await open();
    await user.selectOptions(filter(name), choice);
    expect(search().value).toBe(token);
    await waitFor(() => expect(titles()).toEqual(byViews(expected)));
    expect(new URL(here(), location.origin).searchParams.get("q")).toBe(token);
  });

  test("typed tokens set the filters, free text searches title and creator, and the URL follows after a pause", async () => {
    const { user, address: here, api } = await open();
    await user.type(search(), `STATUS:Draft owner:"ada lovelace" sort:recent_activity POST`);
    await waitFor(() => expect(new URL(here(), location.origin).searchParams.get("q")).toBe(search().value));
    await waitFor(() => expect(titles()).toEqual(["Post 9", "Post 0"]));
    expect([choiceOf("Status"), choiceOf("Creator"), choiceOf("Sort")]).toEqual(["Draft", "Ada Lovelace", "Recent activity"]);
    const last = { page: "1", limit: "10", status: "draft", q: "POST", owner: "ada lovelace", sort: "recent_activity" };
    await waitFor(() => expect(asked(api)[0]).toEqual(last));
    await user.clear(search());
    await user.type(search(), "hopper");
    await waitFor(() => expect(titles()).toHaveLength(3));
  });

  test("a link restores search, page and size; the back button undoes a choice", async () => {
    const { user, router } = await open("?q=sort%3Arecent_activity&page=2");
    expect(titles()).toEqual(["Post 1", "Post 0"]);
    expect(range()).toBe("11–12 of 12");
    expect(choiceOf("Sort")).toBe("Recent activity");
    await user.selectOptions(filter("Status"), "Draft");
    await waitFor(() => expect(range()).toBe("1–4 of 4"));
    await router.navigate(-1);
    await waitFor(() => expect(search().value).toBe("sort:recent_activity"));
    await waitFor(() => expect(titles()).toEqual(["Post 1", "Post 0"]));
  });

  test("completes another search with the same rows", async () => {
    const { api, user } = await open("", stubApi(stubs([post(1), post(2)])));
    await user.selectOptions(filter("Status"), "Draft");
    await waitFor(() => expect(asked(api)[0]).toMatchObject({ status: "draft" }));
    await waitFor(() => expect(screen.getByRole("table", { name: "Recent posts" }).getAttribute("aria-busy")).toBe("false"));
    await user.click(screen.getByRole("checkbox", { name: "Select Post 1" }));
    screen.getByRole("region", { name: "Selected posts" });
  });
});

describe("writeQuery", () => {
  test("keeps other parameters", () => {
    const params = writeQuery({ search: "a b", page: 3, size: 20 }, new URLSearchParams("tab=1&page=9"));
    expect(params.toString()).toBe("tab=1&page=3&q=a+b&size=20");
    expect(readQuery(params)).toEqual({ search: "a b", page: 3, size: 20 });
    expect(writeQuery({ search: " ", page: 1, size: 10 }, params).toString()).toBe("tab=1");
  });
});
