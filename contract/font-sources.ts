import type { Font } from "./appearance-choices.ts";

/** Typefaces that are files of ours; "system" is the reader's own. */
export type ServedFont = Exclude<Font, "system">;

/** The packages of @fontsource-variable that they come from. */
export const fontSources: Readonly<Record<ServedFont, string>> = { inter: "inter", geist: "geist", "source-serif": "source-serif-4" };

/** Below every origin that serves pages or the widget. */
export const fontFolder = "/fonts/";
