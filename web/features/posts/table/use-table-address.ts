import { useViewAddress } from "../../../lib/use-view-address.ts";
import { readQuery, type TableQuery, writeQuery } from "./table-query.ts";

const tableView = { read: readQuery, write: writeQuery };

export function useTableAddress() {
  const { written, view, type, choose, goTo, correct } = useViewAddress<TableQuery>(tableView);
  return {
    ...{ written, query: view, type, goTo, correct },
    choose: (search: string) => choose({ search }),
    setSize: (size: TableQuery["size"]) => choose({ size }),
  };
}
export type TableAddress = ReturnType<typeof useTableAddress>;
