import type { EntryState, ImportedEntry, ImportedPost, WorkspaceImport } from "#contract/imports.ts";
import { ids } from "./fixtures.ts";
import { type Asked, refusal } from "./stub-api.ts";

type Sent = ImportedPost[];

const path = `/api/workspaces/${ids.acme}/imports`;
export const importId = "55555555-5555-4555-8555-555555555555";

export const anImport = (changes: Partial<WorkspaceImport> = {}): WorkspaceImport => ({
  ...{ id: importId, source: "changelog", name: "CHANGELOG.md", created_at: "2026-01-05T09:00:00.000Z", created_by_name: "Ada Lovelace" },
  ...{ total: 3, made: 3, replaced: 0, failed: 0, finished_at: "2026-01-05T09:01:00.000Z", undone_at: null, left: 0 },
  ...changes,
});

export function importServer({
  states = {},
  past = [] as WorkspaceImport[],
}: { states?: Record<string, EntryState>; past?: WorkspaceImport[] } = {}) {
  const written: Sent = [];
  const entries = new Map<string, ImportedEntry>();
  let begun: WorkspaceImport | null = null;
  let undone = false;
  const refuses = new Map<string, string>();

  const now = (): WorkspaceImport => {
    const outcomes = [...entries.values()].map(({ outcome }) => outcome);
    const of = (outcome: string) => outcomes.filter((one) => one === outcome).length;
    return { ...(begun ?? anImport()), made: of("made"), replaced: of("replaced"), failed: of("failed") };
  };
  const write = ({ body }: Asked) => {
    const sent = (body as { entries: Sent }).entries;
    const answers = sent.map(({ external_id, title, replaces, problem: known }): ImportedEntry => {
      const before = entries.get(external_id);
      if (before) return { ...before, outcome: "there" };
      const problem = known ?? refuses.get(title) ?? null;
      const outcome = problem !== null ? "failed" : typeof replaces === "number" ? "replaced" : "made";
      const entry: ImportedEntry = { external_id, title, outcome, post_id: null, problem };
      entries.set(external_id, entry);
      return entry;
    });
    written.push(...sent);
    return { import: now(), entries: answers };
  };

  return {
    written,
    refuses,
    stubs: {
      [`GET ${path}`]: () => ({
        imports: [...(begun ? [{ ...now(), undone_at: undone ? "2026-01-05T10:00:00.000Z" : null }] : []), ...past],
      }),
      [`POST ${path}`]: ({ body }: Asked) => {
        const { source, name, total } = body as Pick<WorkspaceImport, "source" | "name" | "total">;
        begun = anImport({ source, name, total, made: 0, finished_at: null });
        return Response.json({ import: begun }, { status: 201 });
      },
      [`POST ${path}/compare`]: ({ body }: Asked) => ({
        entries: (body as { entries: { external_id: string }[] }).entries.map(({ external_id }) => {
          const state = Object.entries(states).find(([part]) => external_id.includes(part))?.[1] ?? "new";
          const isHere = state !== "new" && state !== "gone";
          return { external_id, state, post_id: isHere ? ids.post : null, version: isHere ? 4 : null, title: null };
        }),
      }),
      [`GET ${path}/*`]: () => ({ import: now(), entries: [...entries.values()] }),
      [`PUT ${path}/*/entries`]: write as (asked: Asked) => unknown,
      [`POST ${path}/*/images`]: ({ body }: Asked) => {
        const { url } = body as { url: string };
        if (url.includes("gone")) return { url: null, problem: "The other site answers 404." };
        return { url: `/storage/v1/object/public/post-images/${ids.acme}/kept.png`, width: 40, height: 30, problem: null };
      },
      [`DELETE ${path}/*`]: () => {
        undone = true;
        return { import: { ...now(), undone_at: "2026-01-05T10:00:00.000Z", left: 1 }, unfinished: false };
      },
      [`POST ${path}/source`]: () => refusal("validation_failed", { address: "There is no repository of this name, or it is private." }),
    },
  };
}

export const changelogOf = (versions: number, body = (version: number): string => `### Added\n\n- Thing ${version}\n`): File => {
  const parts = Array.from({ length: versions }, (_, index) => {
    const version = versions - index;
    const day = new Date(Date.UTC(2020, 0, version)).toISOString().slice(0, 10);
    return `## [1.${version}.0] - ${day}\n\n${body(version)}`;
  });
  return new File([`# Changelog\n\n${parts.join("\n")}`], "CHANGELOG.md", { type: "text/markdown" });
};
