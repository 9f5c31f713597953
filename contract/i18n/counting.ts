import { localeTags, type Locale } from "../locales.ts";

/** What a number of things is called: by the categories of CLDR that a language has; `#` stands for the number. */
export type Forms = Partial<Record<Intl.LDMLPluralRule, string>> & { other: string };

/** Writes numbers of things in a language, e.g. count(3, { one: "# update", other: "# updates" }). */
export function counting(locale: Locale): (count: number, forms: Forms) => string {
  // What Intl knows of a language costs milliseconds: it is asked for when the language is first written, not by each program that has its words.
  let known: { rules: Intl.PluralRules; figure: Intl.NumberFormat } | undefined;
  return (count, forms) => {
    known ??= { rules: new Intl.PluralRules(localeTags[locale]), figure: new Intl.NumberFormat(localeTags[locale]) };
    return (forms[known.rules.select(count)] ?? forms.other).replaceAll("#", known.figure.format(count));
  };
}
