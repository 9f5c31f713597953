import { type Locale, locales } from "./locales.ts";

/** "system" is the reader's own font; the others are served from the page's origin. */
export const fonts = ["inter", "geist", "source-serif", "system"] as const;
export type Font = (typeof fonts)[number];
export const themes = ["system", "light", "dark"] as const;
export type Theme = (typeof themes)[number];
export const layouts = ["posts", "excerpts"] as const;
export type PageLayout = (typeof layouts)[number];
/** Formatted by Intl in the page's language: 23 November 2026, 23 Nov 2026, 23/11/2026; "iso": 2026-11-23. */
export const dateFormats = ["long", "medium", "short", "iso"] as const;
export type DateFormat = (typeof dateFormats)[number];

export const headerLinksMax = 6;
export const headerLinkLabelMaxLength = 40;
export const footerMaxLength = 200;

export interface HeaderLink {
  label: string;
  url: string;
}

/** Values only, never CSS. Validated in contract/appearance.ts. */
export interface AppearanceChoices {
  /** #rrggbb; null: the product's own. */
  accent: string | null;
  theme: Theme;
  layout: PageLayout;
  font: Font;
  date_format: DateFormat;
  links: HeaderLink[];
  footer: string;
  branding: boolean;
  locale: Locale;
}

/** Workspaces older than this choice have `layout: "excerpts"` stored (product decision 28). */
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

/** Skips values that a later version wrote. Validated in contract/appearance.ts: the public page doesn't load zod. */
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

export function appearanceOf(stored: unknown): AppearanceChoices {
  const chosen = Object.entries((stored ?? {}) as Record<string, unknown>).filter(
    ([name, value]) => Object.hasOwn(canBeShown, name) && canBeShown[name as keyof AppearanceChoices](value),
  );
  return { ...defaultAppearance, ...Object.fromEntries(chosen) };
}

export interface Look extends AppearanceChoices {
  logo_dark_url: string | null;
  favicon_url: string | null;
}

export function appearanceOfRow(row: { settings: unknown; logo_dark_url: string | null; favicon_url: string | null } | null): Look {
  return { ...appearanceOf(row?.settings), logo_dark_url: row?.logo_dark_url ?? null, favicon_url: row?.favicon_url ?? null };
}
