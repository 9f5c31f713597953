import { expect, test } from "vitest";
import { endpoints } from "#contract/endpoints.ts";
import { describeApi } from "#contract/openapi.ts";
import { type Description, forPrograms } from "./for-programs.ts";

test("programs read of their own calls only, and of all of them", () => {
  const all = describeApi(endpoints, "https://tidings.example") as unknown as Description;
  const shown = forPrograms(all);
  const isTheirs = (path: string) => path.startsWith("/api/v1/");
  expect(Object.keys(shown.paths)).toEqual(Object.keys(all.paths).filter(isTheirs));
  expect(Object.keys(shown.paths).length).toBeGreaterThan(10);
  expect(shown.tags!.map(({ name }) => name)).toContain("Posts");
  expect(shown.tags!.filter(({ name }) => name.startsWith("App: "))).toEqual([]);
  expect(shown["components"]).toEqual(all["components"]);
});
