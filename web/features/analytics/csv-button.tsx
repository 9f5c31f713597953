import type { AnalyticsTable } from "#contract/analytics.ts";
import { DownloadButton } from "../../ui/download-button.tsx";
import type { Range } from "./range.ts";
import { analyticsFile } from "./use-analytics.ts";

interface CsvButtonProps {
  workspaceId: string;
  table: AnalyticsTable;
  range: Range;
  /** The table's title on the page. */
  title: string;
}

/** Exports the whole table, not only the visible rows. */
export function CsvButton({ workspaceId, table, range, title }: CsvButtonProps) {
  return (
    <DownloadButton
      variant="quiet"
      size="small"
      aria-label={`CSV: ${title}`}
      file={() => analyticsFile(workspaceId, table, range)}
      failure="Couldn't export the table"
    >
      CSV
    </DownloadButton>
  );
}
