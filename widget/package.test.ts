import { expectTypeOf, test } from "vitest";
import type { TidingsApi } from "./install.ts";
import type { TidingsApi as PublishedApi } from "./package/index.d.ts";

/** Compared by `npm run check:types`. */
test("the widget has every call that its package declares", () => {
  expectTypeOf<TidingsApi>().toExtend<PublishedApi>();
});
