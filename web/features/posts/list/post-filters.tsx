import type { StatusFilter } from "#contract/rules/sidebar-posts.ts";
import { tagOf } from "#contract/tags.ts";
import { SearchInput } from "../../../ui/search-input.tsx";
import { useTags } from "../tags/use-tags.ts";
import { statusFilters, statusLabels } from "./post-filter.ts";
import type { PostBrowser } from "./use-post-browser.ts";
import css from "./list.module.css";

export function PostFilters({ workspaceId, browser }: { workspaceId: string; browser: PostBrowser }) {
  const { tags: offered } = useTags(workspaceId);
  return (
    <div role="search" className={css.filters}>
      <SearchInput
        className={css.search}
        label="Search posts"
        value={browser.term}
        onChange={(event) => browser.setTerm(event.target.value)}
      />
      <select aria-label="Status" value={browser.status} onChange={(event) => browser.setStatus(event.target.value as StatusFilter)}>
        {statusFilters.map((status) => (
          <option key={status} value={status}>
            {statusLabels[status]}
          </option>
        ))}
      </select>
      <select aria-label="Tag" value={browser.tag ?? ""} onChange={(event) => browser.setTag(event.target.value || null)}>
        <option value="">All tags</option>
        {browser.tags.map((tag) => (
          <option key={tag} value={tag}>
            {tagOf(tag, offered).label}
          </option>
        ))}
      </select>
    </div>
  );
}
