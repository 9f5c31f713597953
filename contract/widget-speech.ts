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
  posts: number;
  file(path: string): string;
}

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

/** The widget's own font setting wins; "system" falls back to the page's chosen font, so nothing is fetched by default. */
function servedFont(font: Font, chosen: Spoken["fontFamily"]): ServedFont | null {
  if (chosen === "inter" || chosen === "roboto") return chosen;
  return chosen === "system" && font !== defaultAppearance.font && font !== "system" ? font : null;
}

function accentRules(chosen: string | null): string {
  if (chosen === null) return "";
  const { light, dark } = accentColours(chosen);
  const tokens = ({ accent, onAccent }: Accent): string => `{--accent:${accent};--on-accent:${onAccent}}`;
  return `.root${tokens(light)}[data-theme="dark"]${tokens(dark)}@media (prefers-color-scheme:dark){[data-theme="system"]${tokens(dark)}}`;
}
