import { z } from "zod";
import { audience } from "./audience.ts";
import { cleanText } from "./blocks/text.ts";
import { time, webAddress } from "./fields.ts";
import { againMaxDays, buttonTextMaxLength, componentMaxLength, selectorMaxLength, versionMaxLength } from "./limits.ts";
import { needsSelector, surfaces } from "./rules/placement.ts";
import { parseVersion, withoutV } from "./rules/product-version.ts";

const line = (required: string, max: number) =>
  z
    .string({ error: required })
    .overwrite((text) => cleanText(text).replace(/\s+/g, " ").trim())
    .min(1, { error: required })
    .max(max, { error: `Please use at most ${max} characters` });

export const productVersion = z
  .string()
  .overwrite(withoutV)
  .max(versionMaxLength, { error: `Please use at most ${versionMaxLength} characters` })
  .refine((text) => parseVersion(text) !== null, { error: "Enter a version such as 1.12.0 or 2026.11" });

const days = { error: `Please use 1 to ${againMaxDays} days` };

/** Without a surface: none. */
export const placementInput = z
  .strictObject({
    surface: z.enum(surfaces, { error: `Please use ${surfaces.slice(0, -1).join(", ")} or ${surfaces.at(-1)}` }),
    selector: line("Enter a CSS selector, such as #export", selectorMaxLength).nullable().default(null),
    push: z.boolean().default(false),
    from: time.nullable().default(null),
    until: time.nullable().default(null),
    again: z.union([z.enum(["never", "session"]), z.int(days).min(1, days).max(againMaxDays, days)]).default("never"),
  })
  .refine(({ surface, selector }) => !needsSelector(surface) || selector !== null, {
    ...{ path: ["selector"], error: "Enter a CSS selector, such as #export" },
  })
  .refine(({ from, until }) => !from || !until || Date.parse(from) < Date.parse(until), {
    ...{ path: ["until"], error: "Please choose a time after the start" },
  });

/** Fields of a post's details (rules/post-details.ts). Absent: unchanged; null or false: removed. */
export const detailFields = {
  pinned_until: time.nullish(),
  expires_at: time.nullish(),
  button: z
    .strictObject({ text: line("Please enter the button's text", buttonTextMaxLength), url: z.string().trim().pipe(webAddress) })
    .nullish(),
  version: productVersion.nullish(),
  component: line("Please enter a component", componentMaxLength).nullish(),
  breaking: z.boolean().optional(),
  security: z.boolean().optional(),
  audience: audience.nullish(),
  placement: placementInput.nullish(),
};

/** Reversed dates. The database compares with the stored date if one is absent. */
export const pinEndsFirst = {
  check: ({ pinned_until: pin, expires_at: end }: { pinned_until?: string | null; expires_at?: string | null }) =>
    !pin || !end || Date.parse(pin) < Date.parse(end),
  complaint: { path: ["pinned_until"], error: "Please choose a time before the post expires" },
};

export const detailsInput = z.strictObject(detailFields).refine(pinEndsFirst.check, pinEndsFirst.complaint);

export const postDetails = z.object({
  pinned_until: time.nullable(),
  expires_at: time.nullable(),
  button: z.object({ text: z.string(), url: z.string() }).nullable(),
  version: z.string().nullable(),
  component: z.string().nullable(),
  breaking: z.boolean(),
  security: z.boolean(),
  audience: audience.nullable(),
  placement: z
    .object({
      surface: z.enum(surfaces),
      selector: z.string().nullable(),
      push: z.boolean(),
      from: time.nullable(),
      until: time.nullable(),
      again: z.union([z.enum(["never", "session"]), z.int()]),
    })
    .nullable(),
});

export const publicDetails = postDetails.omit({ audience: true });
