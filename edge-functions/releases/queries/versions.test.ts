import { expect, test } from "vitest";
import type { Release } from "./releases.ts";
import { changesIn, ofVersions } from "./versions.ts";

const release = (version: string | null, fields: object = {}, day = 1): Release => ({
  ...{ id: `${version}-${day}`, slug: "x", title: "X", excerpt: "", tags: [], author_name: null, version: 1, cover_image: null },
  published_at: new Date(Date.UTC(2026, 0, day)),
  updated_at: new Date(0),
  details: { version, ...fields },
});
const all = [
  release("1.9.0"),
  release("1.12.0", { component: "Server" }),
  release("1.10.0", { component: "server", breaking: true }),
  release("1.13.0-rc.1", { security: true }),
  release("1.13", { component: "App", breaking: true }, 2),
  release("1.13.0", {}, 3),
  release(null),
  release("latest"),
];
const found = (since: string, until: string | null = null, component: string | null = null) =>
  ofVersions(all, { since, until, component }).map(({ id }) => id);

test("releases after a version come newest version first, the newest post of a version first", () => {
  expect(found("1.9.0")).toEqual(["1.13.0-3", "1.13-2", "1.13.0-rc.1-1", "1.12.0-1", "1.10.0-1"]);
  expect(found("1.12.0", "1.13.0-rc.1")).toEqual(["1.13.0-rc.1-1"]);
  expect(found("1", null, "SERVER")).toEqual(["1.12.0-1", "1.10.0-1"]);
  expect(found("2")).toEqual([]);
});

test("changes are counted by version and label", () => {
  const changes = (since: string) => changesIn(ofVersions(all, { since, until: null, component: null }));
  expect(changes("1.9.0")).toEqual({ versions: 4, posts: 5, breaking: 2, security: 1, latest: "1.13.0" });
  expect(changes("2")).toEqual({ versions: 0, posts: 0, breaking: 0, security: 0, latest: null });
});
