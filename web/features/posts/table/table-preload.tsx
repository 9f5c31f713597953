import { useSearchParams } from "react-router-dom";
import { useTablePage } from "./use-table-page.ts";
import { defaultSort, readQuery } from "./table-query.ts";

/** Asks for the table's first screen beside what else its page waits for. */
export function TablePreload({ workspaceId, isCounted }: { workspaceId: string; isCounted: boolean }) {
  const [params] = useSearchParams();
  useTablePage(workspaceId, readQuery(params), defaultSort(isCounted));
  return null;
}
