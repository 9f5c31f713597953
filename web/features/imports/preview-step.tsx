import { Suspense, useDeferredValue, useMemo, useState } from "react";
import type { EntryState } from "#contract/imports.ts";
import { Button } from "../../ui/button.tsx";
import { TableFilters } from "../../ui/data-table.tsx";
import { EmptyState } from "../../ui/empty-state.tsx";
import { FormError, WarningBox } from "../../ui/form-error.tsx";
import { Input } from "../../ui/input.tsx";
import { Note, Row, Stack, Text } from "../../ui/layout.tsx";
import { lazyPart } from "../../ui/lazy-part.tsx";
import { Select } from "../../ui/select.tsx";
import { postCount } from "../posts/tags/tags.ts";
import { EntryTable } from "./entry-table.tsx";
import type { Event, State } from "./machine.ts";
import { type SourcePost, matching, type Preview, statesOf, stateLabels } from "./preview.ts";
import { PreviewOptions } from "./preview-options.tsx";
import { sourceLabels } from "./source-labels.ts";
import type { Importer } from "./use-importer.ts";
import css from "./imports.module.css";

const EntryPreview = lazyPart(() => import("./entry-dialogs.tsx"), "EntryPreview");
const CompareDialog = lazyPart(() => import("./entry-dialogs.tsx"), "CompareDialog");

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
    <Stack as="section" aria-labelledby="import-preview">
      <header>
        <h2 id="import-preview">
          {postCount(found.posts.length)} in {found.name}
        </h2>
        <Note>
          {sourceLabels[found.source] !== found.name && `${sourceLabels[found.source]}: `}
          {counts.join(", ")}. Nothing has been imported yet.
        </Note>
      </header>
      {problem && <FormError title="Import failed" message={problem} />}
      {found.notes.length > 0 && (
        <WarningBox role="note">
          <Stack as="ul" role="list" gap={1}>
            {found.notes.map((note) => (
              <li key={note}>{note}</li>
            ))}
          </Stack>
        </WarningBox>
      )}
      <PreviewOptions preview={preview} importer={importer} workspaceId={workspaceId} />
      <EntryList preview={preview} workspaceId={workspaceId} onEvent={dispatch} />
      <Row className={css.bar}>
        <Text as="span" grow size="small" tone="muted" role="status">
          {ticked.size === 0
            ? "Select at least one post"
            : `${ticked.size.toLocaleString()} of ${found.posts.length.toLocaleString()} selected`}
        </Text>
        <Button onClick={() => dispatch({ type: "back" })}>Back</Button>
        <Button variant="primary" disabled={ticked.size === 0} onClick={() => importer.start(preview)}>
          {ticked.size === 0 ? "Import" : `Import ${postCount(ticked.size)}`}
        </Button>
      </Row>
    </Stack>
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
      <TableFilters label="Posts to import">
        <Input
          type="search"
          aria-label="Search by title, tag or URL"
          placeholder="Search by title, tag or URL"
          value={words}
          onChange={({ target }) => {
            setWords(target.value);
            setPage(1);
          }}
        />
        {states.length > 1 && (
          <Select
            aria-label="State"
            value={shownState}
            options={[
              ["any", "Any state"],
              ...states.map(([one, count]) => [one, `${stateLabels[one].word} (${count.toLocaleString()})`] as const),
            ]}
            onChange={(state) => {
              setShownState(state);
              setPage(1);
            }}
          />
        )}
        <Row gap={1}>
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
        </Row>
      </TableFilters>
      <EntryTable
        rows={shown.map((place) => ({ place, found: found.posts[place]! }))}
        ticked={ticked}
        empty={<EmptyState drawing="search" level={3} title="No matching posts" text="Try another search or state." />}
        pager={
          pages > 1
            ? {
                label: "Post pages",
                status: `${((current - 1) * pageSize + 1).toLocaleString()}–${Math.min(current * pageSize, places.length).toLocaleString()} of ${places.length.toLocaleString()}`,
                page: current,
                pages,
                onPage: setPage,
              }
            : undefined
        }
        onTick={(place, on) => onEvent({ type: "ticked", places: [place], on })}
        onPreview={(post) => setOpen({ what: "preview", post })}
        onCompare={(post) => setOpen({ what: "compare", post })}
      />
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
