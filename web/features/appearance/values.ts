import { type Appearance, type AppearanceChoices, appearanceChoices } from "#contract/appearance.ts";
import type { Theme } from "#contract/appearance-choices.ts";
import { withScheme } from "#contract/rules/website.ts";

export interface LinkValue {
  /** Stable row id. */
  id: string;
  label: string;
  url: string;
}

/** Form values: a colour as typed, "" for the default. */
export interface LookValues extends Omit<AppearanceChoices, "accent" | "links"> {
  accent: string;
  links: LinkValue[];
}

export const newLink = (): LinkValue => ({ id: crypto.randomUUID(), label: "", url: "" });

export function toFormValues({
  logo_url: _logo,
  logo_dark_url: _dark,
  favicon_url: _icon,
  accent,
  links,
  ...rest
}: Appearance): LookValues {
  return { ...rest, accent: accent ?? "", links: links.map((link) => ({ ...newLink(), ...link })) };
}

/** Request body with completed URLs, unvalidated. */
function toRequestBody({ accent, links, footer, ...rest }: LookValues) {
  return {
    ...rest,
    accent: accent.trim() === "" ? null : accent,
    links: links.map(({ label, url }) => ({ label, url: asLink(url) })),
    footer: footer ?? "",
  };
}

/** Valid choices, or null. */
export function readChoices(values: LookValues): AppearanceChoices | null {
  return appearanceChoices.safeParse(toRequestBody(values)).data ?? null;
}

/** Errors by field; links by "row.field". */
export interface LookErrors {
  accent?: string;
  footer?: string;
  links?: Record<string, string> | string;
}

export function errorsOf(values: LookValues): LookErrors {
  const issues = appearanceChoices.safeParse(toRequestBody(values)).error?.issues ?? [];
  return groupErrors(issues.map(({ path, message }) => [path.join("."), message]));
}

/** Groups server errors by field path. */
export function groupErrors(sentences: readonly (readonly [path: string, sentence: string])[]): LookErrors {
  const errors: Record<string, string> = {};
  const linkErrors: Record<string, string> = {};
  for (const [path, sentence] of sentences) {
    if (path.startsWith("links.")) linkErrors[path.slice("links.".length)] ??= sentence;
    else errors[path] ??= sentence;
  }
  return { ...errors, ...(Object.keys(linkErrors).length > 0 && { links: linkErrors }) };
}

/** True if both would be sent the same. */
export const areSameLinks = (one: readonly LinkValue[] = [], other: readonly LinkValue[] = []): boolean =>
  one.length === other.length &&
  one.every(({ label, url }, index) => label === other[index]!.label && asLink(url) === asLink(other[index]!.url));

/** Changed fields only, so a teammate's changes to others stay. */
export function changesOf(values: LookValues, saved: LookValues): Partial<ReturnType<typeof toRequestBody>> {
  const [now, before] = [toRequestBody(values), toRequestBody(saved)];
  const changed = Object.entries(now).filter(([name, value]) =>
    name === "links" ? !areSameLinks(values.links, saved.links) : value !== before[name as keyof typeof before],
  );
  return Object.fromEntries(changed);
}

/** "docs.acme.example" → https URL, "help@acme.example" → mailto. */
export function asLink(typed: string): string {
  const bare = typed.trim();
  return /^[^\s:/@]+@[^\s:/@]+\.[^\s:/@]+$/.test(bare) ? `mailto:${bare}` : withScheme(bare);
}

/** `side`: the reader's system theme. */
export const widgetTheme = (chosen: Theme, side: "light" | "dark"): "light" | "dark" => (chosen === "system" ? side : chosen);
