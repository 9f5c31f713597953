import { useSearchParams } from "react-router-dom";
import { useTablePage } from "./use-table-page.ts";
import { defaultSort, readQuery } from "./table-query.ts";

export function TablePreload({ workspaceId, isCounted }: { workspaceId: string; isCounted: boolean }) {
  const [params] = useSearchParams();
  useTablePage(workspaceId, readQuery(params), defaultSort(isCounted));
  return null;
}
