import { useState } from "react";
import type { AnalyticsTable } from "#contract/analytics.ts";
import { Button } from "../../components/button.tsx";
import { ApiError } from "../../lib/api-client.ts";
import { keepFile } from "../../lib/keep-file.ts";
import { toasts } from "../../lib/toasts.ts";
import type { Range } from "./range.ts";
import { analyticsFile } from "./use-analytics.ts";
import css from "./parts.module.css";

interface CsvButtonProps {
  workspaceId: string;
  table: AnalyticsTable;
  range: Range;
  /** What the table is called on the page. */
  title: string;
}

/** Takes a whole table along, not only what is shown of it. */
export function CsvButton({ workspaceId, table, range, title }: CsvButtonProps) {
  const [busy, setBusy] = useState(false);

  async function save() {
    setBusy(true);
    try {
      keepFile(await analyticsFile(workspaceId, table, range));
    } catch (error) {
      if (error instanceof ApiError && error.code === "unauthenticated") return;
      toasts.error("The table could not be exported", error instanceof ApiError ? error.message : "Please try again later");
    } finally {
      setBusy(false);
    }
  }

  return (
    <Button
      variant="quiet"
      size="small"
      icon="download"
      className={css.tool}
      busy={busy}
      aria-label={`CSV: ${title}`}
      onClick={() => void save()}
    >
      CSV
    </Button>
  );
}
