import { localeTags, type Locale } from "../locales.ts";

/** What a number of things is called: by the categories of CLDR that a language has; `#` stands for the number. */
export type Forms = Partial<Record<Intl.LDMLPluralRule, string>> & { other: string };

/** Writes numbers of things in a language, e.g. count(3, { one: "# update", other: "# updates" }). */
export function counting(locale: Locale): (count: number, forms: Forms) => string {
  const rules = new Intl.PluralRules(localeTags[locale]);
  const figure = new Intl.NumberFormat(localeTags[locale]);
  return (count, forms) => (forms[rules.select(count)] ?? forms.other).replaceAll("#", figure.format(count));
}
