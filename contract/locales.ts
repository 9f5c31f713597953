/** BCP 47 codes with native names. Source: issue of own look, "Languages". */
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

export const directionOf = (locale: Locale): "ltr" | "rtl" => (locale === "ar" ? "rtl" : "ltr");

/** Tags for Intl: European English (23 November 2026) and Latin digits. */
export const localeTags: Readonly<Record<Locale, string>> = {
  en: "en-GB",
  de: "de",
  fr: "fr",
  es: "es",
  pt: "pt-BR",
  ja: "ja",
  ar: "ar-u-nu-latn",
};
