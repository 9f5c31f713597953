import { describe, expect, test } from "vitest";
import { fc, test as property } from "../../tests/support/properties.ts";
import { audience } from "../audience.ts";
import { type Attributes, type AudienceRule, type AudienceTest, type AttributeValue, isInAudience, readAudience } from "./audience.ts";

const attribute = fc.constantFrom("plan", "seats", "beta", "region", "toString");
const value = fc.oneof(
  fc.constantFrom("pro", "free", "", "eu-west", "eu", "2026-01-31", "9"),
  fc.integer({ min: -2, max: 9 }),
  fc.boolean(),
);
const leaf: fc.Arbitrary<AudienceTest> = fc.oneof(
  fc.record({ attribute, eq: value }),
  fc.record({ attribute, in: fc.array(value, { minLength: 1, maxLength: 3 }) }),
  fc.record({ attribute, gte: value.filter((one) => typeof one !== "boolean") }),
  fc.record({ attribute, exists: fc.boolean() }),
  fc.record({ attribute, starts: fc.constantFrom("eu", "p", "2026") }),
);
const groupOf = (part: fc.Arbitrary<AudienceRule>): fc.Arbitrary<AudienceRule> => {
  const parts = fc.array(part, { minLength: 1, maxLength: 4 });
  return fc.oneof(fc.record({ all: parts }), fc.record({ any: parts }));
};
const rule = fc.oneof(leaf, groupOf(fc.oneof(leaf, groupOf(leaf))));
const attributes: fc.Arbitrary<Attributes> = fc.dictionary(attribute, fc.oneof(value, fc.constant(null)), { maxKeys: 5 });

/** Written apart from the rule: as a sum of products, each condition by its name. */
function reference(asked: AudienceRule, given: Attributes): boolean {
  const known = new Map(Object.entries(given).filter(([, one]) => one !== null) as [string, AttributeValue][]);
  const holds: Record<string, (own: AttributeValue, wanted: never) => boolean> = {
    eq: (own, wanted) => Object.is(own, wanted),
    in: (own, wanted: AttributeValue[]) => wanted.some((one) => Object.is(own, one)),
    gte: (own, wanted) => typeof own === typeof wanted && ["number", "string"].includes(typeof own) && !((own as never) < wanted),
    starts: (own, wanted: string) => typeof own === "string" && own.slice(0, wanted.length) === wanted,
  };
  const products = (one: AudienceRule): AudienceTest[][] => {
    if ("any" in one) return one.any.flatMap(products);
    if ("all" in one)
      return one.all.reduce<AudienceTest[][]>(
        (all, part) => all.flatMap((left) => products(part).map((right) => [...left, ...right])),
        [[]],
      );
    return [[one]];
  };
  return products(asked).some((tests) =>
    tests.every(({ attribute: name, ...test }) => {
      const [[operator, wanted]] = Object.entries(test) as [[string, never]];
      if (operator === "exists") return known.has(name) === wanted;
      return known.has(name) && holds[operator]!(known.get(name)!, wanted);
    }),
  );
}

property.prop([rule])("a rule is read as the same in whatever order it is stored", (asked) => {
  const reversed = (part: unknown): unknown => {
    if (Array.isArray(part)) return part.map(reversed);
    if (typeof part !== "object" || part === null) return part;
    return Object.fromEntries(
      Object.entries(part)
        .toReversed()
        .map(([key, inner]) => [key, reversed(inner)]),
    );
  };
  expect(JSON.stringify(readAudience(reversed(asked)))).toBe(JSON.stringify(asked));
});

property.prop([rule, attributes], { numRuns: 10_000 })("a rule admits whom the reference admits", (asked, given) => {
  expect(isInAudience(asked, given)).toBe(reference(asked, given));
});

test.each([
  null,
  "internal",
  "all",
  1,
  [],
  {},
  { all: [] },
  { any: [] },
  { any: [null] },
  { attribute: "plan" },
  { attribute: "plan", gte: true },
])("%j admits no one", (invalid) => expect(isInAudience(invalid, { plan: true })).toBe(false));

describe("an audience", () => {
  const one = { attribute: "plan", eq: "pro" };
  const shape = 'Enter "internal" or a rule of at most three levels, such as {"attribute": "plan", "eq": "pro"}';
  test.each([
    ["internal", null],
    [one, null],
    [{ all: [one, { any: [one, { attribute: "seats", gte: 10 }] }] }, null],
    [{ any: Array(20).fill(one) }, null],
    [{ all: [{ any: Array(11).fill(one) }, { any: Array(10).fill(one) }] }, "Please use at most 20 conditions"],
    [{ all: [{ any: [{ all: [one] }] }] }, shape],
    [{ all: [] }, "Please add a condition"],
    [{ not: one }, shape],
    [{ ...one, in: ["pro"] }, shape],
    [{ attribute: "", eq: 1 }, "Please enter an attribute"],
    [{ attribute: "plan", eq: null }, shape],
    [{ attribute: "plan", eq: "x".repeat(201) }, "Please use at most 200 characters"],
    ["everyone", shape],
  ])("%j is valid, or told: %s", (given, sentence) => {
    expect(audience.safeParse(given).error?.issues[0]?.message ?? null).toBe(sentence);
  });
});
