import { localeTags, type Locale } from "../locales.ts";

export type Forms = Partial<Record<Intl.LDMLPluralRule, string>> & { other: string };

export function counting(locale: Locale): (count: number, forms: Forms) => string {
  // Lazy: Intl takes milliseconds per language.
  let cached: { rules: Intl.PluralRules; figure: Intl.NumberFormat } | undefined;
  return (count, forms) => {
    cached ??= { rules: new Intl.PluralRules(localeTags[locale]), figure: new Intl.NumberFormat(localeTags[locale]) };
    return (forms[cached.rules.select(count)] ?? forms.other).replaceAll("#", cached.figure.format(count));
  };
}
