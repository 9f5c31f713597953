import { Suspense, useDeferredValue, useMemo, useState } from "react";
import type { EntryState } from "#contract/imports.ts";
import { Button } from "../../ui/button.tsx";
import { EmptyState } from "../../ui/empty-state.tsx";
import { FormError, WarningBox } from "../../ui/form-error.tsx";
import { Input } from "../../ui/input.tsx";
import { lazyPart } from "../../ui/lazy-part.tsx";
import { postCount } from "../posts/tags/tags.ts";
import { EntryTable } from "./entry-table.tsx";
import type { Event, State } from "./machine.ts";
import { type SourcePost, matching, type Preview, statesOf, stateLabels } from "./preview.ts";
import { PreviewOptions } from "./preview-options.tsx";
import { sourceLabels } from "./source-labels.ts";
import type { Importer } from "./use-importer.ts";
import css from "./preview-step.module.css";

const EntryPreview = lazyPart(
  () => import("./entry-dialogs.tsx"),
  (part) => part.EntryPreview,
);
const CompareDialog = lazyPart(
  () => import("./entry-dialogs.tsx"),
  (part) => part.CompareDialog,
);

interface PreviewStepProps {
  state: Extract<State, { at: "previewing" }>;
  importer: Importer;
  workspaceId: string;
}

/** Preview before anything is written. */
export function PreviewStep({ state: { preview, problem }, importer, workspaceId }: PreviewStepProps) {
  const { found, ticked } = preview;
  const { dispatch } = importer;
  if (found.posts.length === 0) {
    return (
      <EmptyState
        drawing="search"
        title="No posts found"
        text={found.notes[0] ?? "This source has no posts."}
        action={<Button onClick={() => dispatch({ type: "back" })}>Choose something else</Button>}
      />
    );
  }
  const counts = statesOf(found.posts).map(([state, count]) => `${count.toLocaleString()} ${stateLabels[state].word.toLowerCase()}`);
  return (
    <section className={css.preview} aria-labelledby="import-preview">
      <header>
        <h2 id="import-preview">
          {postCount(found.posts.length)} in {found.name}
        </h2>
        <p className={css.muted}>
          {sourceLabels[found.source] !== found.name && `${sourceLabels[found.source]}: `}
          {counts.join(", ")}. Nothing has been imported yet.
        </p>
      </header>
      {problem && <FormError title="Import failed" message={problem} />}
      {found.notes.length > 0 && (
        <WarningBox role="note">
          <ul role="list" className={css.notes}>
            {found.notes.map((note) => (
              <li key={note}>{note}</li>
            ))}
          </ul>
        </WarningBox>
      )}
      <PreviewOptions preview={preview} importer={importer} workspaceId={workspaceId} />
      <EntryList preview={preview} workspaceId={workspaceId} onEvent={dispatch} />
      <div className={css.bar}>
        <span role="status" className={css.muted}>
          {ticked.size === 0
            ? "Select at least one post"
            : `${ticked.size.toLocaleString()} of ${found.posts.length.toLocaleString()} selected`}
        </span>
        <Button onClick={() => dispatch({ type: "back" })}>Back</Button>
        <Button variant="primary" disabled={ticked.size === 0} onClick={() => importer.start(preview)}>
          {ticked.size === 0 ? "Import" : `Import ${postCount(ticked.size)}`}
        </Button>
      </div>
    </section>
  );
}

const pageSize = 50;

interface EntryListProps {
  preview: Preview;
  workspaceId: string;
  onEvent: (event: Event) => void;
}

/** Paged and filtered posts; bulk selection follows the filter. */
function EntryList({ preview: { found, ticked, tags, dates }, workspaceId, onEvent }: EntryListProps) {
  const [words, setWords] = useState("");
  const [shownState, setShownState] = useState<EntryState | "any">("any");
  const [page, setPage] = useState(1);
  const [open, setOpen] = useState<{ what: "preview" | "compare"; post: SourcePost }>();

  const searched = useDeferredValue(words);
  const places = useMemo(() => matching(found.posts, searched, shownState), [found, searched, shownState]);
  const states = useMemo(() => statesOf(found.posts), [found]);
  const pages = Math.max(1, Math.ceil(places.length / pageSize));
  const current = Math.min(page, pages);
  const shown = places.slice((current - 1) * pageSize, current * pageSize);
  const isFiltered = words.trim() !== "" || shownState !== "any";
  const newPosts = () => found.posts.flatMap((post, place) => (post.state === "new" ? [place] : []));

  return (
    <>
      <div className={css.filters} role="search" aria-label="Posts to import">
        <Input
          type="search"
          className={css.search}
          aria-label="Search by title, tag or URL"
          placeholder="Search by title, tag or URL"
          value={words}
          onChange={({ target }) => {
            setWords(target.value);
            setPage(1);
          }}
        />
        {states.length > 1 && (
          <select
            aria-label="State"
            value={shownState}
            onChange={({ target }) => {
              setShownState(target.value as EntryState | "any");
              setPage(1);
            }}
          >
            <option value="any">Any state</option>
            {states.map(([one, count]) => (
              <option key={one} value={one}>
                {stateLabels[one].word} ({count.toLocaleString()})
              </option>
            ))}
          </select>
        )}
        <span className={css.ticks}>
          <Button variant="quiet" size="small" onClick={() => onEvent({ type: "ticked", places, on: true })}>
            {isFiltered ? "Select filtered" : "Select all"}
          </Button>
          <Button variant="quiet" size="small" onClick={() => onEvent({ type: "ticked", places, on: false })}>
            {isFiltered ? "Deselect filtered" : "Deselect all"}
          </Button>
          {states.length > 1 && (
            <Button variant="quiet" size="small" onClick={() => onEvent({ type: "only", places: newPosts() })}>
              Only new
            </Button>
          )}
        </span>
      </div>
      {places.length === 0 ? (
        <EmptyState drawing="search" level={3} title="No matching posts" text="Try another search or state." />
      ) : (
        <EntryTable
          posts={found.posts}
          places={shown}
          ticked={ticked}
          onTick={(place, on) => onEvent({ type: "ticked", places: [place], on })}
          onPreview={(post) => setOpen({ what: "preview", post })}
          onCompare={(post) => setOpen({ what: "compare", post })}
        />
      )}
      {pages > 1 && (
        <nav className={css.pages} aria-label="Post pages">
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
    </>
  );
}
