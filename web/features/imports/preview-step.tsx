import { Suspense, useDeferredValue, useMemo, useState } from "react";
import type { EntryState } from "#contract/imports.ts";
import { Button } from "../../components/button.tsx";
import { ChoiceGroup } from "../../components/choice-group.tsx";
import { EmptyState } from "../../components/empty-state.tsx";
import { FormError } from "../../components/form-error.tsx";
import { Input } from "../../components/input.tsx";
import { lazyPart } from "../../components/lazy-part.tsx";
import { WarningBox } from "../../components/warning-box.tsx";
import { postCount } from "../posts/tags/tags.ts";
import { EntryTable } from "./entry-table.tsx";
import { type FoundPost, matching, statesOf, stateWords } from "./found.ts";
import type { Dates, State } from "./machine.ts";
import { SiteForm } from "./site-form.tsx";
import { sourceWords } from "./source-words.ts";
import { TagMap } from "./tag-map.tsx";
import { UndatedChoice } from "./undated-choice.tsx";
import type { Importer } from "./use-importer.ts";
import css from "./preview-step.module.css";

const EntryPreview = lazyPart(
  () => import("./entry-preview.tsx"),
  (part) => part.EntryPreview,
);
const CompareDialog = lazyPart(
  () => import("./compare-dialog.tsx"),
  (part) => part.CompareDialog,
);

const dateChoices = [
  { value: "original", label: "With their original dates" },
  { value: "drafts", label: "As drafts" },
] as const;

const dateNotes: Readonly<Record<Dates, string>> = {
  original: "Each post stands where its date puts it. Nobody gets a mail, and no widget shows a mark.",
  drafts: "Nobody sees them before you publish them. Posts that are here already keep their state.",
};

const pageSize = 50;

/** Everything that was read, before anything is written: what becomes of it, and what is wanted. */
export function PreviewStep({
  state,
  importer,
  workspaceId,
}: {
  state: Extract<State, { at: "previewing" }>;
  importer: Importer;
  workspaceId: string;
}) {
  const { preview, problem } = state;
  const { found, ticked, tags, dates } = preview;
  const { dispatch } = importer;
  const [words, setWords] = useState("");
  const [shownState, setShownState] = useState<EntryState | "any">("any");
  const [page, setPage] = useState(1);
  const [open, setOpen] = useState<{ what: "preview" | "compare"; post: FoundPost }>();

  const searched = useDeferredValue(words);
  const places = useMemo(() => matching(found.posts, searched, shownState), [found, searched, shownState]);
  const states = useMemo(() => statesOf(found.posts), [found]);
  const pages = Math.max(1, Math.ceil(places.length / pageSize));
  const current = Math.min(page, pages);
  const shown = places.slice((current - 1) * pageSize, current * pageSize);
  const isNarrowed = words.trim() !== "" || shownState !== "any";
  const newOnes = () => found.posts.flatMap((post, place) => (post.state === "new" ? [place] : []));

  if (found.posts.length === 0) {
    return (
      <>
        <EmptyState
          drawing="search"
          title="There are no posts in it"
          text={found.notes[0] ?? "It was read, and nothing in it is a post."}
          action={<Button onClick={() => dispatch({ type: "back" })}>Choose something else</Button>}
        />
      </>
    );
  }
  return (
    <section className={css.preview} aria-labelledby="import-preview">
      <header>
        <h2 id="import-preview">
          {postCount(found.posts.length)} in {found.name}
        </h2>
        <p className={css.muted}>
          {sourceWords[found.source] !== found.name && `${sourceWords[found.source]}: `}
          {states.map(([one, count]) => `${count.toLocaleString()} ${stateWords[one].word.toLowerCase()}`).join(", ")}. Nothing is written
          yet.
        </p>
      </header>
      {problem && <FormError title="Nothing was imported" message={problem} />}
      {found.notes.length > 0 && (
        <WarningBox role="note">
          <ul role="list" className={css.notes}>
            {found.notes.map((note) => (
              <li key={note}>{note}</li>
            ))}
          </ul>
        </WarningBox>
      )}
      {found.wantsAddress && <SiteForm onSaid={importer.readAt} />}
      <div className={css.wishes}>
        <div className={css.wish}>
          <ChoiceGroup
            legend="Published"
            choices={dateChoices}
            value={dates}
            onChange={(value) => dispatch({ type: "dates", dates: value })}
          />
          <p className={css.muted}>{dateNotes[dates]}</p>
          <div hidden={dates !== "original"}>
            <UndatedChoice found={found} importer={importer} />
          </div>
        </div>
        <TagMap
          workspaceId={workspaceId}
          posts={found.posts}
          tags={tags}
          onTarget={(name, target) => dispatch({ type: "tag", name, target })}
        />
      </div>
      <div className={css.filters} role="search" aria-label="Posts to import">
        <Input
          type="search"
          className={css.search}
          aria-label="Search by title, tag or address"
          placeholder="Search by title, tag or address"
          value={words}
          onChange={({ target }) => {
            setWords(target.value);
            setPage(1);
          }}
        />
        {states.length > 1 && (
          <select
            aria-label="State"
            className={css.select}
            value={shownState}
            onChange={({ target }) => {
              setShownState(target.value as EntryState | "any");
              setPage(1);
            }}
          >
            <option value="any">Any state</option>
            {states.map(([one, count]) => (
              <option key={one} value={one}>
                {stateWords[one].word} ({count.toLocaleString()})
              </option>
            ))}
          </select>
        )}
        <span className={css.ticks}>
          <Button variant="quiet" size="small" onClick={() => dispatch({ type: "ticked", places, on: true })}>
            {isNarrowed ? "Tick these" : "Tick all"}
          </Button>
          <Button variant="quiet" size="small" onClick={() => dispatch({ type: "ticked", places, on: false })}>
            {isNarrowed ? "Untick these" : "Untick all"}
          </Button>
          {states.length > 1 && (
            <Button variant="quiet" size="small" onClick={() => dispatch({ type: "only", places: newOnes() })}>
              Only new ones
            </Button>
          )}
        </span>
      </div>
      {places.length === 0 ? (
        <EmptyState drawing="search" level={3} title="None of them" text="Other words, or any state, may find them." />
      ) : (
        <EntryTable
          posts={found.posts}
          places={shown}
          ticked={ticked}
          onTick={(place, on) => dispatch({ type: "ticked", places: [place], on })}
          onPreview={(post) => setOpen({ what: "preview", post })}
          onCompare={(post) => setOpen({ what: "compare", post })}
        />
      )}
      {pages > 1 && (
        <nav className={css.pages} aria-label="Pages of posts">
          <span role="status" className={css.muted}>
            {((current - 1) * pageSize + 1).toLocaleString()}–{Math.min(current * pageSize, places.length).toLocaleString()} of{" "}
            {places.length.toLocaleString()}
          </span>
          <span className={css.turn}>
            <Button disabled={current <= 1} onClick={() => setPage(current - 1)}>
              Previous
            </Button>
            <Button disabled={current >= pages} onClick={() => setPage(current + 1)}>
              Next
            </Button>
          </span>
        </nav>
      )}
      <div className={css.bar}>
        <span role="status" className={css.muted}>
          {ticked.size === 0
            ? "Tick at least one post"
            : `${ticked.size.toLocaleString()} of ${found.posts.length.toLocaleString()} ticked`}
        </span>
        <Button onClick={() => dispatch({ type: "back" })}>Back</Button>
        <Button variant="primary" disabled={ticked.size === 0} onClick={() => importer.start(preview)}>
          {ticked.size === 0 ? "Import" : `Import ${postCount(ticked.size)}`}
        </Button>
      </div>
      <Suspense>
        {open?.what === "preview" && (
          <EntryPreview
            entry={open.post}
            tags={tags}
            isDraft={dates === "drafts" && open.post.version === null}
            onClose={() => setOpen(undefined)}
          />
        )}
        {open?.what === "compare" && (
          <CompareDialog entry={open.post} tags={tags} workspaceId={workspaceId} onClose={() => setOpen(undefined)} />
        )}
      </Suspense>
    </section>
  );
}
