import { expectTypeOf, test } from "vitest";
import type { TidingsApi } from "./install.ts";
import type { TidingsApi as PublishedApi } from "./package/index.d.ts";

test("the package declares every call of the widget", () => {
  expectTypeOf<TidingsApi>().toExtend<PublishedApi>();
});
