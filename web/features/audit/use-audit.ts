import { useSearchParams } from "react-router-dom";
import useSWRInfinite from "swr/infinite";
import type { z } from "zod";
import { auditEndpoints, auditFilter, type AuditFilter } from "#contract/audit.ts";
import { address, type ApiError, download, read } from "../../lib/api-client.ts";

/** Filters in the URL; `from` and `until` are local dates, inclusive. */
export interface AuditView {
  actor?: string;
  kind?: string;
  from?: string;
  until?: string;
}
const filterNames = ["actor", "kind", "from", "until"] as const;
const isDay = (text: string | undefined) =>
  text !== undefined && /^\d{4}-\d\d-\d\d$/.test(text) && !Number.isNaN(new Date(`${text}T00:00`).getTime());

/** API filter; ignores invalid values. */
function toFilter({ actor, kind, from, until }: AuditView): AuditFilter {
  const start = (day: string, more = 0) => {
    const [year, month, date] = day.split("-").map(Number) as [number, number, number];
    return new Date(year, month - 1, date + more).toISOString();
  };
  const { shape } = auditFilter;
  return {
    ...{ actor: shape.actor.safeParse(actor).data, kind: shape.kind.safeParse(kind).data },
    ...{ from: isDay(from) ? start(from!) : undefined, until: isDay(until) ? start(until!, 1) : undefined },
  };
}

/** Filtered audit log with pagination. */
export function useAudit(workspaceId: string) {
  const [search, setSearch] = useSearchParams();
  const view: AuditView = Object.fromEntries(filterNames.flatMap((name) => (search.get(name) ? [[name, search.get(name)!]] : [])));
  const filter = toFilter(view);
  const params = { workspaceId };
  const { data, error, size, setSize, isLoading, isValidating, mutate } = useSWRInfinite(
    (index: number, earlier: Page | null) => {
      if (index > 0 && !earlier?.next) return null;
      return address(auditEndpoints.list.path, params, { ...filter, before: earlier?.next });
    },
    (url: string): Promise<Page> => read(auditEndpoints.list, url),
    { revalidateFirstPage: false, revalidateOnFocus: false, keepPreviousData: true },
  );
  const pages = data ?? [];
  return {
    view,
    isNarrowed: Object.values(filter).some((value) => value !== undefined),
    lines: data && pages.flatMap(({ lines }) => lines),
    actors: pages[0]?.actors ?? [],
    error: error as ApiError | undefined,
    isLoading,
    isLoadingMore: isValidating && pages.length < size,
    more: pages.at(-1)?.next ? () => void setSize(size + 1) : undefined,
    reload: () => void mutate(),
    narrow: (changes: AuditView) =>
      setSearch(Object.fromEntries(Object.entries({ ...view, ...changes }).filter((pair): pair is [string, string] => Boolean(pair[1]))), {
        preventScrollReset: true,
      }),
    file: (format: "csv" | "jsonl"): Promise<File> => download(auditEndpoints.export, { params, query: { ...filter, format } }),
  };
}
type Page = z.output<typeof auditEndpoints.list.response>;
