import type { ImportSource } from "#importers/entry.ts";
import type { askedSources } from "#contract/imports.ts";

export const sourceLabels: Readonly<Record<ImportSource, string>> = {
  changelog: "CHANGELOG.md",
  github: "GitHub releases",
  feed: "Feed",
  headway: "Headway",
  beamer: "Beamer",
  csv: "CSV",
  announcekit: "AnnounceKit",
  canny: "Canny",
  launchnotes: "LaunchNotes",
  quackback: "Quackback",
  "changes-page": "changes.page",
  ghost: "Ghost",
  wordpress: "WordPress",
  markdown: "Markdown",
  tidings: "Tidings",
};

export type AskedSource = (typeof askedSources)[number];

interface SourceFields {
  choice: string;
  /** Absent if the key is enough. */
  address?: { label: string; placeholder: string; hint?: string };
  /** Absent for public sources. */
  key?: { label: string; hint: string; optional?: true };
}

const usedOnce = "Used once and never stored.";

/** Form fields by source. */
export const questionLabels: Readonly<Record<AskedSource, SourceFields>> = {
  github: {
    choice: "GitHub repository",
    address: { label: "Repository", placeholder: "owner/name", hint: "Its releases become posts." },
    key: { label: "Access token", hint: `Only for a private repository. ${usedOnce}`, optional: true },
  },
  feed: {
    choice: "Feed (RSS, Atom, JSON Feed)",
    address: { label: "Feed URL", placeholder: "https://example.com/feed.xml", hint: "Feeds only include the latest entries." },
  },
  headway: {
    choice: "Headway page",
    address: { label: "Page URL", placeholder: "https://headwayapp.co/acme-changelog" },
  },
  beamer: { choice: "Beamer", key: { label: "API key", hint: `From Beamer’s settings, “API”. ${usedOnce}` } },
  announcekit: {
    choice: "AnnounceKit",
    address: { label: "Project", placeholder: "12345", hint: "The number in your AnnounceKit dashboard's URL." },
    key: { label: "Access token", hint: `Starts with “ak_pat_”. ${usedOnce}` },
  },
  canny: { choice: "Canny", key: { label: "API key", hint: `From Canny’s settings, “API”. ${usedOnce}` } },
  launchnotes: {
    choice: "LaunchNotes",
    address: { label: "Project", placeholder: "pro_…", hint: "Your project's ID." },
    key: { label: "API token", hint: usedOnce },
  },
  "changes-page": {
    choice: "changes.page",
    address: { label: "Page URL", placeholder: "https://acme.changes.page" },
  },
};
