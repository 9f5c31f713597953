import type { PostSummary } from "#contract/posts.ts";
import type { Tag } from "#contract/tags.ts";
import { searchDateLabel } from "#contract/rules/search-date-label.ts";
import { Button } from "../../../components/button.tsx";
import { Icon } from "../../../components/icon.tsx";
import { classNames } from "../../../lib/class-names.ts";
import { isServerSearch } from "../list/post-filter.ts";
import { tagLine } from "../tags/tags.ts";
import type { PostSearch } from "./use-post-search.ts";
import { StatusIcon } from "../list/status-icon.tsx";
import css from "./search-palette.module.css";

interface SearchResultsProps {
  id: string;
  term: string;
  search: PostSearch;
  /** The workspace's tags, for their names. */
  offered: readonly Tag[];
  /** The result that Enter opens. */
  selected: number;
  canWrite: boolean;
  onSelect(index: number): void;
  onOpen(post: PostSummary): void;
  onCreate(): void;
}

/** Id of the option at a place, for aria-activedescendant. */
export const optionId = (listId: string, index: number): string => `${listId}-${index}`;

/** What the palette found, or why it shows nothing. Source: specification, section 2 ("Search palette"). */
export function SearchResults({ id, term, search, offered, selected, canWrite, onSelect, onOpen, onCreate }: SearchResultsProps) {
  const now = new Date();
  if (!isServerSearch(term)) return <p className={css.state}>Start typing to search posts</p>;
  if (search.posts.length > 0) {
    const searching = search.status === "searching"; // what stands there is of the term before
    return (
      <div
        role="listbox"
        tabIndex={-1}
        id={id}
        className={classNames(css.results, searching && css.old)}
        aria-label="Results"
        aria-busy={searching}
      >
        {search.posts.map((post, index) => (
          <button
            type="button"
            tabIndex={-1}
            key={post.id}
            id={optionId(id, index)}
            role="option"
            aria-selected={index === selected}
            className={css.result}
            onPointerMove={() => onSelect(index)}
            onClick={() => onOpen(post)}
          >
            <StatusIcon status={post.status} />
            <span className={css.title}>{post.title || "Untitled"}</span>
            <span className={css.tags}>{tagLine(post.tags, offered)}</span>
            <time dateTime={post.updated_at} className={css.date}>
              {searchDateLabel(post.updated_at, now)}
            </time>
          </button>
        ))}
      </div>
    );
  }
  if (search.status === "searching") {
    return (
      <p className={css.state} role="status">
        <Icon name="spinner" /> Searching posts...
      </p>
    );
  }
  return (
    <div className={css.state} role="status">
      <p>
        No posts found for <q>{term.trim()}</q>
      </p>
      {canWrite && (
        <Button icon="plus" onClick={onCreate}>
          Create new post
        </Button>
      )}
    </div>
  );
}
