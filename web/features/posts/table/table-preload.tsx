import { useSearchParams } from "react-router-dom";
import { useTablePage } from "./use-table-page.ts";
import { readQuery } from "./table-query.ts";

/** Asks for the table's first screen beside what else its page waits for. */
export function TablePreload({ workspaceId }: { workspaceId: string }) {
  const [params] = useSearchParams();
  useTablePage(workspaceId, readQuery(params));
  return null;
}
