import { Dialog } from "primereact/dialog";
import { useEffect, useId, useState, type KeyboardEvent } from "react";
import type { PostSummary } from "#contract/posts.ts";
import { Icon } from "../../../components/icon.tsx";
import { dialogCloseMs } from "../../../components/timing.ts";
import { toasts } from "../../../lib/toasts.ts";
import { useTags } from "../api/use-tags.ts";
import { usePostSearch } from "../state/use-post-search.ts";
import { optionId, SearchResults } from "./search-results.tsx";
import css from "./search-palette.module.css";

interface SearchPaletteProps {
  workspaceId: string;
  canWrite: boolean;
  onOpen(post: PostSummary): void;
  onCreate(): void;
  onClose(): void;
}

/** Finds a post by a few letters: arrows choose, Enter opens, Escape closes. */
export function SearchPalette({ workspaceId, canWrite, onOpen, onCreate, onClose }: SearchPaletteProps) {
  const listId = useId();
  const [term, setTerm] = useState("");
  const [selected, setSelected] = useState(0);
  const search = usePostSearch(workspaceId, term);
  const { tags: offered } = useTags(workspaceId);
  const found = search.posts;

  useEffect(() => setSelected(0), [found]);
  useEffect(() => {
    if (search.status === "failed") toasts.error("Search failed", "Please try again");
  }, [search.status]);

  const onKeyDown = (event: KeyboardEvent) => {
    const step = { ArrowDown: 1, ArrowUp: -1 }[event.key];
    if (step !== undefined && found.length > 0) {
      event.preventDefault();
      setSelected((selected + step + found.length) % found.length);
    }
    const post = found[selected];
    if (event.key === "Enter" && !event.nativeEvent.isComposing && post) onOpen(post);
  };

  return (
    <Dialog
      visible
      position="top"
      showHeader={false}
      dismissableMask
      draggable={false}
      resizable={false}
      className={css.palette}
      contentClassName={css.content}
      onHide={onClose}
      aria-label="Search posts"
      pt={{ root: { "aria-labelledby": undefined } }}
      transitionOptions={{ timeout: { enter: dialogCloseMs, exit: dialogCloseMs } }}
    >
      <div className={css.field}>
        <Icon name="search" large />
        <input
          type="text"
          role="combobox"
          aria-label="Search posts"
          aria-expanded={found.length > 0}
          aria-controls={listId}
          aria-activedescendant={found.length > 0 ? optionId(listId, selected) : undefined}
          aria-autocomplete="list"
          autoFocus
          autoComplete="off"
          placeholder="Search posts..."
          value={term}
          onChange={(event) => setTerm(event.target.value)}
          onKeyDown={onKeyDown}
        />
        <kbd className={css.key}>Esc</kbd>
      </div>
      <SearchResults id={listId} {...{ term, search, offered, selected, canWrite, onOpen, onCreate }} onSelect={setSelected} />
    </Dialog>
  );
}
