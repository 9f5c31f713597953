import { appearanceOf } from "#contract/appearance.ts";
import { accentColours } from "#contract/rules/accent.ts";
import { type Dates, languageIn } from "#contract/i18n/index.ts";
import type { Card, Logo } from "./card.ts";
import { wordsOn } from "./card-text.ts";

export interface Subject {
  workspace_name: string;
  logo_url: string | null;
  logo_dark_url: string | null;
  appearance: unknown;
  title: string | null;
  published_at: string | null;
}

const light = { ground: "#fbfaf8", text: "#1f1b16", muted: "#5f574c" };
const dark = { ground: "#161412", text: "#f2efe9", muted: "#b3aa9d" };

/** Card with the drawable parts. `logoOf` returns null for unsupported logos. */
export async function cardOf(subject: Subject, logoOf: (address: string) => Promise<Logo | null>): Promise<Card> {
  const choices = appearanceOf(subject.appearance);
  const { theme, accent, font } = choices;
  const { dir, dates } = languageIn(choices);
  const colours = accentColours(accent)[theme === "dark" ? "dark" : "light"]; // the viewer's theme is unknown
  const address = theme === "dark" ? (subject.logo_dark_url ?? subject.logo_url) : subject.logo_url;
  return {
    font,
    colours: { ...(theme === "dark" ? dark : light), accent: colours.accent, onAccent: colours.onAccent },
    direction: dir,
    name: wordsOn(subject.workspace_name),
    logo: address === null ? null : await logoOf(address),
    title: subject.title === null ? null : wordsOn(subject.title),
    line: subject.published_at === null ? null : dayOf(new Date(subject.published_at), dates),
  };
}

/** Localised date, or ISO if it can't be drawn. */
const dayOf = (date: Date, dates: Dates): string => wordsOn(dates.day(date)) ?? date.toISOString().slice(0, 10);
