import { z } from "zod";
import {
  type AppearanceChoices,
  dateFormats,
  fonts,
  footerMaxLength,
  headerLinkLabelMaxLength,
  headerLinksMax,
  layouts,
  themes,
} from "./appearance-choices.ts";
import { endpoint } from "./endpoint.ts";
import { id, line, success } from "./fields.ts";
import { managers, roles } from "./kinds.ts";
import { locales } from "./locales.ts";

export * from "./appearance-choices.ts";

const accentSentence = "Please enter a colour as #rrggbb, e.g. #0b6b62";
const linkSentence = "Please enter a URL that starts with https://, http:// or mailto:";

/** Stored as six lowercase hex digits; nothing else reaches a stylesheet. */
export const accent = z
  .string({ error: accentSentence })
  .trim()
  .toLowerCase()
  .regex(/^#[0-9a-f]{6}$/, { error: accentSentence });

export const headerLink = z.object({
  label: line("Please enter a link label", headerLinkLabelMaxLength).overwrite(inOneLine),
  url: z
    .string({ error: linkSentence })
    .trim()
    .max(2_048, { error: linkSentence })
    .refine((url) => /^(?:https?:\/\/[^/\s]|mailto:[^\s@]+@[^\s@])/i.test(url) && URL.canParse(url), { error: linkSentence })
    .transform((url) => new URL(url).href)
    .refine((url) => url.length <= 2_048, { error: linkSentence }),
});

function inOneLine(text: string): string {
  return text.replace(/[\p{Cc}\s]+/gu, " ").trim();
}

const choose = { error: "Please choose from the list" };

const choices = {
  accent: accent.nullable(),
  theme: z.enum(themes, choose),
  layout: z.enum(layouts, choose),
  font: z.enum(fonts, choose),
  date_format: z.enum(dateFormats, choose),
  links: z.array(headerLink).max(headerLinksMax, { error: `Please use at most ${headerLinksMax} links` }),
  footer: z
    .string()
    .overwrite(inOneLine)
    .max(footerMaxLength, { error: `Please use at most ${footerMaxLength} characters` }),
  branding: z.boolean(),
  locale: z.enum(locales, choose),
};

export const appearanceChoices = z.object(choices) satisfies z.ZodType<AppearanceChoices>;

export const appearance = appearanceChoices.extend({
  logo_url: z.string().nullable(),
  logo_dark_url: z.string().nullable(),
  favicon_url: z.string().nullable(),
});
export type Appearance = z.infer<typeof appearance>;

const params = z.object({ workspaceId: id });
const pictureParams = params.extend({ picture: z.enum(["logo-dark", "favicon"]) });

export const appearanceEndpoints = {
  get: endpoint("GET /api/workspaces/{workspaceId}/appearance", {
    summary: "Read the appearance of a workspace's page, widget and emails",
    access: roles,
    response: appearance,
  }),
  put: endpoint("PUT /api/workspaces/{workspaceId}/appearance", {
    summary: "Change the appearance of page, widget and emails; absent fields stay",
    access: managers,
    body: z.object(choices).partial(),
    response: appearance,
  }),
  uploadPicture: endpoint("POST /api/workspaces/{workspaceId}/appearance/{picture}", {
    summary: "Upload the logo for dark pages or the favicon: one PNG, JPEG, WebP or GIF under 5 MB",
    access: managers,
    limit: "upload",
    params: pictureParams,
    multipart: "image",
    status: 201,
    response: z.object({ success: z.literal(true), url: z.string() }),
    errors: ["file_not_image"],
  }),
  removePicture: endpoint("DELETE /api/workspaces/{workspaceId}/appearance/{picture}", {
    summary: "Remove the logo for dark pages or the favicon",
    access: managers,
    params: pictureParams,
    response: success,
  }),
} as const;
