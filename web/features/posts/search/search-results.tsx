import type { ReactNode } from "react";
import type { PostSummary } from "#contract/posts.ts";
import type { Tag } from "#contract/tags.ts";
import { searchDateLabel } from "#contract/rules/search-date-label.ts";
import { Button } from "../../../ui/button.tsx";
import { Icon } from "../../../ui/icon.tsx";
import { isServerSearch } from "../list/post-filter.ts";
import { StatusIcon } from "../list/status-icon.tsx";
import { tagLine } from "../tags/tags.ts";
import type { Command } from "./command.ts";
import type { PostSearch } from "./use-post-search.ts";
import { Row, Stack, Text } from "../../../ui/layout.tsx";
import css from "./search-palette.module.css";

export type Option = { id: string } & ({ kind: "post"; post: PostSummary } | { kind: "command"; command: Command });

interface SearchResultsProps {
  id: string;
  term: string;
  search: PostSearch;
  options: readonly Option[];
  offered: readonly Tag[];
  selected: number;
  canWrite: boolean;
  onSelect(index: number): void;
  onChoose(option: Option): void;
  onCreate(): void;
}

export const optionId = (listId: string, index: number): string => `${listId}-${index}`;

/** Results of the palette, or its empty states. Source: specification, section 2 ("Search palette"). */
export function SearchResults({
  id,
  term,
  search,
  options,
  offered,
  selected,
  canWrite,
  onSelect,
  onChoose,
  onCreate,
}: SearchResultsProps) {
  const asksServer = isServerSearch(term);
  const searching = asksServer && search.status === "searching";
  const posts = options.filter(({ kind }) => kind === "post");
  const now = new Date();

  const line = (option: Option) => {
    const index = options.indexOf(option);
    return (
      <Row
        as="button"
        choice
        type="button"
        tabIndex={-1}
        key={option.id}
        id={optionId(id, index)}
        role="option"
        aria-selected={index === selected}
        className={css.result}
        style={{ gap: "0 var(--space-3)" }}
        onPointerMove={() => onSelect(index)}
        onClick={() => onChoose(option)}
      >
        {option.kind === "post" ? <PostLine post={option.post} offered={offered} now={now} /> : <CommandLine command={option.command} />}
      </Row>
    );
  };
  const group = (name: string, lines: readonly Option[], old = false) =>
    lines.length > 0 && (
      <div role="group" aria-label={name} style={{ opacity: old ? 0.6 : undefined }}>
        <Text size="small" tone="muted" strong className={css.heading} aria-hidden="true">
          {name}
        </Text>
        {lines.map(line)}
      </div>
    );

  return (
    <div className={css.results}>
      {!asksServer && (
        <Text size="small" tone="muted" className={css.hint}>
          Start typing to search posts
        </Text>
      )}
      {asksServer && posts.length === 0 && <NoPosts {...{ term, search, canWrite, onCreate }} />}
      <div role="listbox" tabIndex={-1} id={id} className={css.list} aria-label="Results" aria-busy={searching}>
        {group(asksServer ? "Posts" : "Recent posts", posts, searching)}
        {group(
          "Commands",
          options.filter(({ kind }) => kind === "command"),
        )}
      </div>
    </div>
  );
}

function NoPosts({ term, search, canWrite, onCreate }: Pick<SearchResultsProps, "term" | "search" | "canWrite" | "onCreate">) {
  if (search.status === "searching") {
    return (
      <State>
        <Icon name="spinner" /> Searching posts...
      </State>
    );
  }
  return (
    <State>
      <p>
        No posts found for <q>{term.trim()}</q>
      </p>
      {canWrite && (
        <Button icon="plus" onClick={onCreate}>
          Create new post
        </Button>
      )}
    </State>
  );
}

const State = ({ children }: { children: ReactNode }) => (
  <Stack gap={3} className={css.state} role="status">
    {children}
  </Stack>
);

function PostLine({ post, offered, now }: { post: PostSummary; offered: readonly Tag[]; now: Date }) {
  return (
    <>
      <StatusIcon status={post.status} />
      <Text as="span" strong truncate>
        {post.title || "Untitled"}
      </Text>
      <Text as="span" size="small" tone="muted" className={css.tags}>
        {tagLine(post.tags, offered)}
      </Text>
      <Text as="time" size="small" tone="muted" dateTime={post.updated_at}>
        {searchDateLabel(post.updated_at, now)}
      </Text>
    </>
  );
}

function CommandLine({ command }: { command: Command }) {
  return (
    <>
      <Icon name={command.icon} />
      <Text as="span" strong truncate>
        {command.label}
      </Text>
      <span className={css.tags} />
      <Text as="span" tone="muted" className={css.keys}>
        {command.keys?.split(" ").map((key) => (
          <kbd key={key}>{key.toUpperCase()}</kbd>
        ))}
      </Text>
    </>
  );
}
