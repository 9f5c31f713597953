import type { Font } from "./appearance-choices.ts";

/** Typefaces of readers' pages that are files of ours; "system" is the reader's own. */
export type PageFont = Exclude<Font, "system">;
/** All of them: the widget has one more to choose. Arial is on nearly every system. */
export type ServedFont = PageFont | "roboto";

/** The packages of @fontsource-variable that they come from. */
export const fontSources: Readonly<Record<ServedFont, string>> = {
  inter: "inter",
  geist: "geist",
  "source-serif": "source-serif-4",
  roboto: "roboto",
};

/** Below every origin that serves pages or the widget. */
export const fontFolder = "/fonts/";
