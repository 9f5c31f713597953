import { type Appearance, type AppearanceChoices, appearanceChoices } from "#contract/appearance.ts";
import type { Theme } from "#contract/appearance-choices.ts";
import { withScheme } from "#contract/rules/website.ts";

export interface LinkValue {
  /** The row's own, so that it stays the same when it is moved. */
  id: string;
  label: string;
  url: string;
}

/** What stands in the form: a colour as it is typed, "" for the product's own. */
export interface LookValues extends Omit<AppearanceChoices, "accent" | "links"> {
  accent: string;
  links: LinkValue[];
}

export const newLink = (): LinkValue => ({ id: crypto.randomUUID(), label: "", url: "" });

export function valuesOf({ logo_url: _logo, logo_dark_url: _dark, favicon_url: _icon, accent, links, ...rest }: Appearance): LookValues {
  return { ...rest, accent: accent ?? "", links: links.map((link) => ({ ...newLink(), ...link })) };
}

/** What is sent: addresses as they were meant, also of a field that was not left yet. Nothing of it is checked. */
function choicesOf({ accent, links, footer, ...rest }: LookValues) {
  return {
    ...rest,
    accent: accent.trim() === "" ? null : accent,
    links: links.map(({ label, url }) => ({ label, url: asLink(url) })),
    footer: footer ?? "", // react-final-form has none for an empty field
  };
}

/** The choices as the server would take them; null while something is wrong. */
export function readChoices(values: LookValues): AppearanceChoices | null {
  return appearanceChoices.safeParse(choicesOf(values)).data ?? null;
}

/** Sentences at the fields: of links by "row.field". */
export interface LookErrors {
  accent?: string;
  footer?: string;
  links?: Record<string, string> | string;
}

export function errorsOf(values: LookValues): LookErrors {
  const issues = appearanceChoices.safeParse(choicesOf(values)).error?.issues ?? [];
  return gathered(issues.map(({ path, message }) => [path.join("."), message]));
}

/** The same of what a server refused, by the paths that it names. */
export function gathered(sentences: readonly (readonly [path: string, sentence: string])[]): LookErrors {
  const errors: Record<string, string> = {};
  const ofLinks: Record<string, string> = {};
  for (const [path, sentence] of sentences) {
    if (path.startsWith("links.")) ofLinks[path.slice("links.".length)] ??= sentence;
    else errors[path] ??= sentence;
  }
  return { ...errors, ...(Object.keys(ofLinks).length > 0 && { links: ofLinks }) };
}

/** Whether the same would be sent. */
export const sameLinks = (one: readonly LinkValue[] = [], other: readonly LinkValue[] = []): boolean =>
  one.length === other.length &&
  one.every(({ label, url }, index) => label === other[index]!.label && asLink(url) === asLink(other[index]!.url));

/** The fields that differ, as they are sent: what a colleague changed meanwhile in another field stays. */
export function changesOf(values: LookValues, saved: LookValues): Partial<ReturnType<typeof choicesOf>> {
  const [now, before] = [choicesOf(values), choicesOf(saved)];
  const changed = Object.entries(now).filter(([name, value]) =>
    name === "links" ? !sameLinks(values.links, saved.links) : value !== before[name as keyof typeof before],
  );
  return Object.fromEntries(changed);
}

/** An address as it was meant: "docs.acme.example" is a site, "help@acme.example" an address for mails. */
export function asLink(typed: string): string {
  const bare = typed.trim();
  return /^[^\s:/@]+@[^\s:/@]+\.[^\s:/@]+$/.test(bare) ? `mailto:${bare}` : withScheme(bare);
}

/** The widget's theme is of its own settings; the page's is not asked. `side`: what the reader's system says. */
export const widgetTheme = (chosen: Theme, side: "light" | "dark"): "light" | "dark" => (chosen === "system" ? side : chosen);
