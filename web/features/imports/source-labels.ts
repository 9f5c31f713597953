import type { ImportSource } from "#importers/entry.ts";
import type { askedSources } from "#contract/imports.ts";

/** Sources by the names people know them by. */
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

interface Asking {
  /** In the list of sources. */
  choice: string;
  /** Of the field, and an example; absent: the key says enough. */
  address?: { label: string; placeholder: string; hint?: string };
  /** Absent: it is open to everybody. */
  key?: { label: string; hint: string; optional?: true };
}

const once = "It is used for this once and kept nowhere.";

/** What each source that is asked by the server needs. */
export const questionLabels: Readonly<Record<AskedSource, Asking>> = {
  github: {
    choice: "GitHub repository",
    address: { label: "Repository", placeholder: "owner/name", hint: "Its releases become posts." },
    key: { label: "Access token", hint: `Only for a private repository. ${once}`, optional: true },
  },
  feed: {
    choice: "Feed (RSS, Atom, JSON Feed)",
    address: { label: "Address of the feed", placeholder: "https://example.com/feed.xml", hint: "A feed has its latest entries only." },
  },
  headway: {
    choice: "Headway page",
    address: { label: "Address of the page", placeholder: "https://headwayapp.co/acme-changelog" },
  },
  beamer: { choice: "Beamer", key: { label: "API key", hint: `From Beamer’s settings, “API”. ${once}` } },
  announcekit: {
    choice: "AnnounceKit",
    address: { label: "Project", placeholder: "12345", hint: "The number in the address of your AnnounceKit dashboard." },
    key: { label: "Access token", hint: `It begins with “ak_pat_”. ${once}` },
  },
  canny: { choice: "Canny", key: { label: "API key", hint: `From Canny’s settings, “API”. ${once}` } },
  launchnotes: {
    choice: "LaunchNotes",
    address: { label: "Project", placeholder: "pro_…", hint: "The id of your project." },
    key: { label: "API token", hint: once },
  },
  "changes-page": {
    choice: "changes.page",
    address: { label: "Address of the page", placeholder: "https://acme.changes.page" },
  },
};
