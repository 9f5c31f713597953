import { expect, test } from "vitest";
import { forgetViewTexts } from "./introspection.ts";
import type { Introspection, PostgresConnection } from "./types.d.ts";

test("forgetViewTexts removes view definitions and keeps the schema's identity while it is unchanged", async () => {
  const told = [
    { views: [{ name: "post_details", sql: "select 1" }], tables: ["posts"] },
    { views: [], tables: [] },
  ];
  let current: Introspection = told[0]!;
  const asked: unknown[] = [];
  const introspect = async (options?: { useCache?: boolean }) => (asked.push(options), current);
  const connection = { introspect } as PostgresConnection;
  forgetViewTexts(connection);

  const first = await connection.introspect({ useCache: true });
  expect(first).toEqual({ views: [{ name: "post_details", sql: "" }], tables: ["posts"] });
  expect(await connection.introspect()).toBe(first);
  expect(asked).toEqual([{ useCache: true }, undefined]);
  current = told[1]!; // the schema has changed
  expect(await connection.introspect()).toEqual(told[1]);
});
