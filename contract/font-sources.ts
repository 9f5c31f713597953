import type { Font } from "./appearance-choices.ts";

export type PageFont = Exclude<Font, "system">;
/** The widget also offers Roboto. Arial is preinstalled nearly everywhere. */
export type ServedFont = PageFont | "roboto";

export const fontSources: Readonly<Record<ServedFont, string>> = {
  inter: "inter",
  geist: "geist",
  "source-serif": "source-serif-4",
  roboto: "roboto",
};

export const fontFolder = "/fonts/";
