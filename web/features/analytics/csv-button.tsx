import type { AnalyticsTable } from "#contract/analytics.ts";
import { DownloadButton } from "../../components/download-button.tsx";
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
  return (
    <DownloadButton
      variant="quiet"
      size="small"
      className={css.tool}
      aria-label={`CSV: ${title}`}
      file={() => analyticsFile(workspaceId, table, range)}
      failure="The table could not be exported"
    >
      CSV
    </DownloadButton>
  );
}
