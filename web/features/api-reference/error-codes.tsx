import { useEffect } from "react";
import { type ErrorCode, errorCatalogue, isErrorCode } from "#contract/errors.ts";
import { DataTable } from "../../ui/data-table.tsx";
import type { Description } from "./description.ts";

const codesIn = (description: Description): ErrorCode[] => {
  const found = JSON.stringify(description).matchAll(/"code":"(\w+)"/g);
  return [...new Set([...found].flatMap(([, code]) => (isErrorCode(code) ? [code] : [])))].toSorted();
};

/** The `type` of a problem is the address of its code here. */
export function ErrorCodes({ description }: { description: Description }) {
  useEffect(() => document.getElementById(window.location.hash.slice(1))?.scrollIntoView(), []);
  return (
    <section aria-labelledby="error-codes">
      <h2 id="error-codes">Error codes</h2>
      <DataTable
        aria-labelledby="error-codes"
        rows={codesIn(description)}
        rowKey={(code) => code}
        row={(code) => ({ id: code })}
        columns={[
          { header: "Code", cell: (code) => <code>{code}</code>, isRowHeader: true, card: "title" },
          { header: "Status", cell: (code) => errorCatalogue[code].status, card: "labelled" },
          { header: "Message", cell: (code) => errorCatalogue[code].sentence, card: "wide" },
        ]}
      />
    </section>
  );
}
