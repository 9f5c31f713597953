/** The languages of what readers see: page, widget and mails. BCP 47; the name is the language's own. Source: issue of own look, "Languages". */
export const locales = ["en", "de", "fr", "es", "pt", "ja", "ar"] as const;
export type Locale = (typeof locales)[number];

export const localeNames: Readonly<Record<Locale, string>> = {
  en: "English",
  de: "Deutsch",
  fr: "Français",
  es: "Español",
  pt: "Português",
  ja: "日本語",
  ar: "العربية",
};

/** Where a line begins. */
export const directionOf = (locale: Locale): "ltr" | "rtl" => (locale === "ar" ? "rtl" : "ltr");

/** What Intl is asked for: English as in Europe (23 November 2026), and the digits that are read everywhere. */
export const localeTags: Readonly<Record<Locale, string>> = {
  en: "en-GB",
  de: "de",
  fr: "fr",
  es: "es",
  pt: "pt-BR",
  ja: "ja",
  ar: "ar-u-nu-latn",
};
