import { useEffect, useId, useMemo, useRef, useState, type KeyboardEvent } from "react";
import { postEndpoints, type PostSummary } from "#contract/posts.ts";
import { Palette } from "../../../ui/dialog.tsx";
import { IconButton } from "../../../ui/icon-button.tsx";
import { Icon } from "../../../ui/icon.tsx";
import { earlyKeys, takeEarlyKeys } from "../../../lib/early-keys.ts";
import { toasts } from "../../../lib/toasts.ts";
import { useCall } from "../../../lib/use-call.ts";
import { useLatest } from "../../../lib/use-latest.ts";
import { isServerSearch } from "../list/post-filter.ts";
import { useTags } from "../tags/use-tags.ts";
import { matchingCommands, type Command } from "./command.ts";
import { usePostSearch } from "./use-post-search.ts";
import { optionId, SearchResults, type Option } from "./search-results.tsx";
import css from "./search-palette.module.css";

interface SearchPaletteProps {
  workspaceId: string;
  canWrite: boolean;
  commands: readonly Command[];
  onOpen(post: PostSummary): void;
  onCreate(): void;
  onRun(command: Command): void;
  onClose(): void;
}

const recentCount = 5;
const recent = { page: 1, limit: recentCount, status: "all" } as const;

export function SearchPalette({ workspaceId, canWrite, commands, onOpen, onCreate, onRun, onClose }: SearchPaletteProps) {
  const listId = useId();
  const [term, setTerm] = useState(() => earlyKeys().text);
  const [selected, setSelected] = useState(0);
  const search = usePostSearch(workspaceId, term);
  const { tags: offered } = useTags(workspaceId);
  const { data: latest } = useCall(postEndpoints.list, { params: { workspaceId }, query: recent });
  const asksServer = isServerSearch(term);

  const posts = asksServer ? search.posts : term.trim() === "" ? (latest?.posts ?? none) : none;
  const matching = useMemo(() => matchingCommands(commands, term), [commands, term]);
  const options: readonly Option[] = useMemo(
    () => [
      ...posts.map((post) => ({ kind: "post" as const, id: post.id, post })),
      ...matching.map((command) => ({ kind: "command" as const, id: command.id, command })),
    ],
    [posts, matching],
  );
  const choose = (option: Option) => (option.kind === "post" ? onOpen(option.post) : onRun(option.command));

  const entered = useRef(false); // Enter before the results: opens the first one
  const latestChoose = useLatest(choose);
  const latestOptions = useLatest(options);

  useEffect(() => setSelected(0), [posts, term]);
  const isSearching = search.status === "searching";
  useEffect(() => {
    if (isSearching || !entered.current) return;
    entered.current = false;
    if (latestOptions.current[0]) latestChoose.current(latestOptions.current[0]);
  }, [isSearching, search, latestChoose, latestOptions]);
  useEffect(() => {
    if (search.status === "failed") toasts.error("Search failed", "Please try again");
  }, [search.status]);
  useEffect(() => {
    void document.getElementById(optionId(listId, selected))?.scrollIntoView({ block: "nearest" }); // braces: some browsers return a promise, which isn't a cleanup function
  }, [listId, selected]);

  const onFocus = () => {
    const early = takeEarlyKeys();
    if (early.text !== "") setTerm(early.text);
    if (early.entered) entered.current = isServerSearch(early.text);
  };
  const onKeyDown = (event: KeyboardEvent) => {
    const step = { ArrowDown: 1, ArrowUp: -1 }[event.key];
    if (step !== undefined && options.length > 0) {
      event.preventDefault();
      setSelected((selected + step + options.length) % options.length);
    }
    if (event.key !== "Enter" || event.nativeEvent.isComposing) return;
    const option = options[selected];
    if (isSearching && !(selected > 0 && option?.kind === "command")) entered.current = true;
    else if (option) choose(option);
  };

  return (
    <Palette label="Search posts" onClose={onClose} className={css.palette} contentClassName={css.content}>
      <div className={css.field}>
        <Icon name="search" large />
        <input
          type="text"
          role="combobox"
          aria-label="Search posts"
          aria-expanded={options.length > 0}
          aria-controls={listId}
          aria-activedescendant={options.length > 0 ? optionId(listId, selected) : undefined}
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
          onFocus={onFocus}
        />
        <kbd>Esc</kbd>
        <IconButton icon="times" label="Close" className={css.close} onClick={onClose} />
        <span className="visually-hidden" role="status">
          {search.status === "searching" && posts.length > 0 && "Searching posts..."}
        </span>
      </div>
      <SearchResults
        id={listId}
        {...{ term, search, options, offered, selected, canWrite, onCreate }}
        onSelect={setSelected}
        onChoose={choose}
      />
    </Palette>
  );
}

const none: readonly PostSummary[] = [];
