import { type AppearanceChoices, defaultAppearance, type Font } from "./appearance-choices.ts";
import { fontFiles } from "./font-files.ts";
import type { ServedFont } from "./font-sources.ts";
import type { WidgetSpeech } from "./releases.ts";
import { type Accent, accentColours } from "./rules/accent.ts";
import type { CompleteWidgetSettings } from "./widget-choices.ts";
import { languageIn } from "./i18n/index.ts";

interface Spoken {
  look: Pick<AppearanceChoices, "accent" | "font" | "locale" | "date_format">;
  fontFamily: CompleteWidgetSettings["customisation"]["fontFamily"];
  /** How many posts it shows at most. */
  posts: number;
  /** The address of a file of ours, as a page elsewhere needs it. */
  file(path: string): string;
}

/** What the widget says, and its colours and letters, in the workspace's language and look. */
export function speechOf({ look, fontFamily, posts, file }: Spoken): WidgetSpeech {
  const { locale, dir, words, dates } = languageIn(look);
  const { unread, ...own } = words.widget;
  const served = servedFont(look.font, fontFamily);
  const family = `Tidings ${served}`;
  return {
    locale,
    dir,
    words: { ...own, unread: Array.from({ length: posts }, (_, index) => unread(index + 1)), days: [...dates.words] },
    style: accentRules(look.accent) + (served === null ? "" : `.root{font-family:"${family}",system-ui,sans-serif}`),
    fonts: served === null ? [] : fontFiles[served].map(({ url, range, style }) => ({ family, url: file(url), range, style })),
  };
}

/**
 * What the widget's own settings say of its font comes first; where they leave it to the system, the page's typeface is the widget's, too, if it is
 * one that was chosen. So nothing is fetched on the pages of those who have chosen none.
 */
function servedFont(font: Font, chosen: Spoken["fontFamily"]): ServedFont | null {
  if (chosen === "inter" || chosen === "roboto") return chosen;
  return chosen === "system" && font !== defaultAppearance.font && font !== "system" ? font : null;
}

/** The widget's sheet has the product's own accent; another stands behind it, in colours that can be read. */
function accentRules(chosen: string | null): string {
  if (chosen === null) return "";
  const { light, dark } = accentColours(chosen);
  const tokens = ({ accent, onAccent }: Accent): string => `{--accent:${accent};--on-accent:${onAccent}}`;
  return `.root${tokens(light)}[data-theme="dark"]${tokens(dark)}@media (prefers-color-scheme:dark){[data-theme="system"]${tokens(dark)}}`;
}
