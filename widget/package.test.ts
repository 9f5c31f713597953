import { readFileSync } from "node:fs";
import { expect, expectTypeOf, test } from "vitest";
import type { TidingsApi } from "./install.ts";
import type { TidingsApi as PublishedApi } from "./package/index.d.ts";

test("the package declares every call of the widget", () => {
  expectTypeOf<TidingsApi>().toExtend<PublishedApi>();
});

test("docs/widget.md shows the React example that the compiler checks", () => {
  expect(readFileSync("docs/widget.md", "utf8")).toContain(`\`\`\`tsx\n${readFileSync("docs/examples/whats-new.tsx", "utf8")}\`\`\``);
});
