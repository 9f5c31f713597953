import { useEffect, useId, useRef, useState, type KeyboardEvent } from "react";
import type { PostSummary } from "#contract/posts.ts";
import { Palette } from "../../../components/dialog.tsx";
import { Icon } from "../../../components/icon.tsx";
import { toasts } from "../../../lib/toasts.ts";
import { useLatest } from "../../../lib/use-latest.ts";
import { useTags } from "../tags/use-tags.ts";
import { usePostSearch } from "./use-post-search.ts";
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

  const entered = useRef(false); // Enter came before the answer: it opens the first result
  const latestOpen = useLatest(onOpen);

  useEffect(() => setSelected(0), [found]);
  useEffect(() => {
    if (search.status === "searching" || !entered.current) return;
    entered.current = false;
    if (search.posts[0]) latestOpen.current(search.posts[0]);
  }, [search, latestOpen]);
  useEffect(() => {
    if (search.status === "failed") toasts.error("Search failed", "Please try again");
  }, [search.status]);

  const onKeyDown = (event: KeyboardEvent) => {
    const step = { ArrowDown: 1, ArrowUp: -1 }[event.key];
    if (step !== undefined && found.length > 0) {
      event.preventDefault();
      setSelected((selected + step + found.length) % found.length);
    }
    if (event.key !== "Enter" || event.nativeEvent.isComposing) return;
    const post = found[selected];
    if (search.status === "searching") entered.current = true;
    else if (post) onOpen(post);
  };

  return (
    <Palette label="Search posts" onClose={onClose} className={css.palette} contentClassName={css.content}>
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
          onChange={(event) => {
            entered.current = false;
            setTerm(event.target.value);
          }}
          onKeyDown={onKeyDown}
        />
        <kbd className={css.key}>Esc</kbd>
        <span className="visually-hidden" role="status">
          {search.status === "searching" && found.length > 0 && "Searching posts..."}
        </span>
      </div>
      <SearchResults id={listId} {...{ term, search, offered, selected, canWrite, onOpen, onCreate }} onSelect={setSelected} />
    </Palette>
  );
}
