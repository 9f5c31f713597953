import { useSearchParams } from "react-router-dom";
import { useTablePage } from "../api/use-table-page.ts";
import { readQuery } from "../model/table-query.ts";

/** Asks for the table's first screen beside what else its page waits for. */
export function TablePreload({ workspaceId }: { workspaceId: string }) {
  const [params] = useSearchParams();
  useTablePage(workspaceId, readQuery(params));
  return null;
}
