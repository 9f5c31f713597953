import { postStatuses } from "#contract/kinds.ts";
import { parseSearch, type PostSort } from "#contract/rules/search-tokens.ts";
import { Button } from "../../../ui/button.tsx";
import { TableFilters } from "../../../ui/data-table.tsx";
import { SearchInput } from "../../../ui/search-input.tsx";
import { withFilter } from "./table-query.ts";
import type { TableAddress } from "./use-table-address.ts";

const statuses = [
  ["any", "Any status"],
  ["published", "Published"],
  ["draft", "Draft"],
  ["scheduled", "Scheduled"],
  ["archived", "Archived"],
] as const;
const sorts: readonly (readonly [PostSort, string])[] = [
  ["most_viewed_last_month", "Most viewed, last month"],
  ["recent_activity", "Recent activity"],
];

interface PostFiltersProps {
  address: TableAddress;
  creators: readonly string[];
  usualSort: PostSort;
}

/** Search text with tokens, and the same filters as selects. Source: specification, sections 2 and 5. */
export function PostFilters({ address, creators, usualSort }: PostFiltersProps) {
  const { search } = address.query;
  const { status = "any", owner, sort = usualSort } = parseSearch(search);
  const creator = owner && (creators.find((name) => name.toLowerCase() === owner.toLowerCase()) ?? owner);
  const names = creator && !creators.includes(creator) ? [...creators, creator] : creators;

  return (
    <TableFilters label="Posts">
      <SearchInput
        label="Search posts"
        title={'Also: status:draft  owner:"Ada Lovelace"  sort:recent_activity'}
        value={search}
        onChange={(event) => address.type(event.target.value)}
      />
      <select
        aria-label="Status"
        value={status}
        onChange={({ target }) => {
          const chosen = postStatuses.find((one) => one === target.value);
          address.choose(withFilter(search, { status: chosen }));
        }}
      >
        {statuses.map(([value, label]) => (
          <option key={value} value={value}>
            {label}
          </option>
        ))}
      </select>
      <select
        aria-label="Creator"
        value={creator ?? ""}
        onChange={({ target }) => address.choose(withFilter(search, { owner: target.value || undefined }))}
      >
        <option value="">Created by anyone</option>
        {names.map((name) => (
          <option key={name}>{name}</option>
        ))}
      </select>
      <select
        aria-label="Sort"
        value={sort}
        onChange={({ target }) => {
          const chosen = sorts.find(([one]) => one === target.value)?.[0];
          address.choose(withFilter(search, { sort: chosen === usualSort ? undefined : chosen }));
        }}
      >
        {sorts.map(([value, label]) => (
          <option key={value} value={value}>
            {label}
          </option>
        ))}
      </select>
      {search.trim() !== "" && (
        <Button variant="quiet" icon="filter-slash" onClick={() => address.choose("")}>
          Clear filters
        </Button>
      )}
    </TableFilters>
  );
}
