import { fc, test as property } from "../../tests/support/properties.ts";
import { describe, expect, test } from "vitest";
import { slug } from "#contract/rules/slug.ts";
import { slugCases } from "../../tests/support/slug-cases.ts";

describe("the address of a post", () => {
  test.each(slugCases)("%j becomes %s", (title, expected) => {
    expect(slug(title)).toBe(expected);
  });
  property.prop([fc.string({ unit: "grapheme", maxLength: 200 })])("is always a clean part of a path, and its own address", (title) => {
    expect(slug(title)).toMatch(/^[a-z0-9]+(?:-[a-z0-9]+)*$/);
    expect(slug(title).length).toBeLessThanOrEqual(80);
    expect(slug(slug(title))).toBe(slug(title));
  });
});
