import { type Locale, locales } from "./locales.ts";

/** Typefaces that are served from the origin of the page; "system" is the reader's own. */
export const fonts = ["inter", "geist", "source-serif", "system"] as const;
export type Font = (typeof fonts)[number];
export const themes = ["system", "light", "dark"] as const;
export type Theme = (typeof themes)[number];
/** Whole posts one below the other, or an excerpt of each with a link. */
export const layouts = ["posts", "excerpts"] as const;
export type PageLayout = (typeof layouts)[number];
/** As Intl writes them in the page's language: 23 November 2026, 23 Nov 2026, 23/11/2026; "iso" is 2026-11-23 in each. */
export const dateFormats = ["long", "medium", "short", "iso"] as const;
export type DateFormat = (typeof dateFormats)[number];

export const headerLinksMax = 6;
export const headerLinkLabelMaxLength = 40;
export const footerMaxLength = 200;

/** Where a link beside the workspace's name leads. */
export interface HeaderLink {
  label: string;
  url: string;
}

/** What may be chosen of a workspace's look: values, never styles. contract/appearance.ts says what of it is taken. */
export interface AppearanceChoices {
  /** #rrggbb; null: the product's own. */
  accent: string | null;
  theme: Theme;
  layout: PageLayout;
  font: Font;
  date_format: DateFormat;
  links: HeaderLink[];
  /** A line at the end of the page; "" for none. */
  footer: string;
  /** Whether "Published with Tidings" stands there. */
  branding: boolean;
  locale: Locale;
}

/** What holds where nothing was chosen. Workspaces from before there was a choice have `layout: "excerpts"` stored (product decision 28). */
export const defaultAppearance: AppearanceChoices = {
  accent: null,
  theme: "system",
  layout: "posts",
  font: "inter",
  date_format: "long",
  links: [],
  footer: "",
  branding: true,
  locale: "en",
};

const oneOf =
  (values: readonly unknown[]) =>
  (value: unknown): boolean =>
    values.includes(value);

const isHeaderLink = (value: unknown): boolean => {
  const { label, url } = (value ?? {}) as Partial<HeaderLink>;
  return typeof label === "string" && typeof url === "string" && /^(?:https?:|mailto:)/i.test(url);
};

/**
 * Whether a stored value can be shown: what is taken is decided by contract/appearance.ts and the database, this only knows what a later
 * version wrote. Without the parser of the API, which the public page does not load.
 */
const canBeShown: Readonly<Record<keyof AppearanceChoices, (value: unknown) => boolean>> = {
  accent: (value) => value === null || (typeof value === "string" && /^#[0-9a-f]{6}$/.test(value)),
  theme: oneOf(themes),
  layout: oneOf(layouts),
  font: oneOf(fonts),
  date_format: oneOf(dateFormats),
  links: (value) => Array.isArray(value) && value.length <= headerLinksMax && value.every(isHeaderLink),
  footer: (value) => typeof value === "string",
  branding: oneOf([true, false]),
  locale: oneOf(locales),
};

/** Complete choices of what is stored; what a later version wrote and this one does not know is left out, each field by itself. */
export function appearanceOf(stored: unknown): AppearanceChoices {
  const chosen = Object.entries((stored ?? {}) as Record<string, unknown>).filter(
    ([name, value]) => Object.hasOwn(canBeShown, name) && canBeShown[name as keyof AppearanceChoices](value),
  );
  return { ...defaultAppearance, ...Object.fromEntries(chosen) };
}

/** What is known of a look where the workspace itself, with its logo, is known already. */
export interface Look extends AppearanceChoices {
  logo_dark_url: string | null;
  favicon_url: string | null;
}

/** Of the row of public.appearances, or what private.find_workspace says of it; the defaults for none. */
export function lookOf(row: { settings: unknown; logo_dark_url: string | null; favicon_url: string | null } | null): Look {
  return { ...appearanceOf(row?.settings), logo_dark_url: row?.logo_dark_url ?? null, favicon_url: row?.favicon_url ?? null };
}
