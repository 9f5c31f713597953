import { expect, test } from "vitest";
import { ApiError } from "./api-client.ts";

test.each([
  ["the first field's, which says more", { title: "Please enter a title", tags: "Too many tags" }, "Please enter a title"],
  ["its own where no field is to blame", {}, "Please check what you entered"],
])("the sentence of a refusal is %s", (_, fields, sentence) => {
  expect(new ApiError(422, "validation_failed", "Please check what you entered", { fields }).sentence).toBe(sentence);
});
