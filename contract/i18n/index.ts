import { directionOf, type Locale } from "../locales.ts";
import type { AppearanceChoices } from "../appearance-choices.ts";
import { defaultTags, type Tag } from "../tags.ts";
import { ar } from "./ar.ts";
import { datesIn, type Dates } from "./dates.ts";
import { de } from "./de.ts";
import { en, type Words } from "./en.ts";
import { es } from "./es.ts";
import { fr } from "./fr.ts";
import { ja } from "./ja.ts";
import { pt } from "./pt.ts";

export type { Words } from "./en.ts";
export type { Dates } from "./dates.ts";

const dictionaries: Readonly<Record<Locale, Words>> = { en, de, fr, es, pt, ja, ar };

export const wordsIn = (locale: Locale): Words => dictionaries[locale];

export function defaultTagsIn(locale: Locale): Tag[] {
  const { tagFeature, tagImprovement, tagFix, tagDocs } = wordsIn(locale).page;
  const labels: Readonly<Record<string, string>> = { feature: tagFeature, improvement: tagImprovement, fix: tagFix, docs: tagDocs };
  return defaultTags.map((tag) => ({ ...tag, label: labels[tag.key] ?? tag.label }));
}

export interface Language {
  locale: Locale;
  dir: "ltr" | "rtl";
  words: Words;
  dates: Dates;
}

export const languageIn = ({ locale, date_format }: Pick<AppearanceChoices, "locale" | "date_format">): Language => ({
  locale,
  dir: directionOf(locale),
  words: wordsIn(locale),
  dates: datesIn(locale, date_format),
});
