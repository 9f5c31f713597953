import { z } from "zod";
import { line } from "./fields.ts";
import { attributeMaxLength, attributeValueMaxLength, audienceMaxTests } from "./limits.ts";
import { type Audience, testsOf } from "./rules/audience.ts";

const example = '{"attribute": "plan", "eq": "pro"}';
const attribute = line("Please enter an attribute", attributeMaxLength);
const text = z.string().max(attributeValueMaxLength, { error: `Please use at most ${attributeValueMaxLength} characters` });
const value = z.union([text, z.number(), z.boolean()]);

export const audienceTest = z.union([
  z.strictObject({ attribute, eq: value }),
  z.strictObject({ attribute, in: z.array(value).min(1).max(50) }),
  z.strictObject({ attribute, gte: z.union([z.number(), text]) }),
  z.strictObject({ attribute, exists: z.boolean() }),
  z.strictObject({ attribute, starts: text.min(1, { error: "Please enter a value" }) }),
]);
function groupOf<Part extends z.ZodType>(part: Part) {
  const parts = z.array(part).min(1, { error: "Please add a condition" });
  return z.union([z.strictObject({ all: parts }), z.strictObject({ any: parts })]);
}

/** A rule of at most three levels, and 20 conditions. */
export const audience: z.ZodType<Audience> = z
  .union([z.literal("internal"), audienceTest, groupOf(z.union([audienceTest, groupOf(audienceTest)]))], {
    error: `Enter "internal" or a rule of at most three levels, such as ${example}`,
  })
  .refine((rule) => rule === "internal" || testsOf(rule).length <= audienceMaxTests, {
    error: `Please use at most ${audienceMaxTests} conditions`,
  });
