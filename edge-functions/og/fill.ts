import { appearanceOf } from "#contract/appearance.ts";
import { accentColours } from "#contract/rules/accent.ts";
import { type Dates, languageIn } from "#contract/i18n/index.ts";
import type { Card, Logo } from "./card.ts";
import { wordsOn } from "./card-text.ts";

/** What is drawn of. */
export interface Subject {
  workspace_name: string;
  logo_url: string | null;
  logo_dark_url: string | null;
  appearance: unknown;
  /** Null: the workspace's own picture. */
  title: string | null;
  published_at: string | null;
}

/** The grounds of the public page. */
const light = { ground: "#fbfaf8", text: "#1f1b16", muted: "#5f574c" };
const dark = { ground: "#161412", text: "#f2efe9", muted: "#b3aa9d" };

/** A card as a workspace looks: with what can be drawn of it. `logoOf` answers null for a logo that cannot. */
export async function cardOf(subject: Subject, logoOf: (address: string) => Promise<Logo | null>): Promise<Card> {
  const choices = appearanceOf(subject.appearance);
  const { theme, accent, font } = choices;
  const { dir, dates } = languageIn(choices);
  const colours = accentColours(accent)[theme === "dark" ? "dark" : "light"]; // who looks at a link has no theme that we know
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

/** As the page writes it; where that has signs that cannot be drawn, as everybody reads it. */
const dayOf = (date: Date, dates: Dates): string => wordsOn(dates.day(date)) ?? date.toISOString().slice(0, 10);
