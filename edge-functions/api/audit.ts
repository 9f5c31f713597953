import { auditCsvHead, auditCsvLine, auditEndpoints, type AuditFilter, auditLine, type AuditLine, kindsOf } from "#contract/audit.ts";
import type { Database } from "../_shared/clients.ts";
import type { Binder } from "../_shared/handle.ts";
import { json } from "./result.ts";
import { streamedLines } from "./streamed-lines.ts";
import { findSubdomain } from "./workspaces/queries.ts";

const firstPageSize = 15; // one screen

export function bindAudit({ signedIn, file }: Binder): void {
  signedIn(auditEndpoints.list, async ({ db, params, query: { before, ...filter } }) => {
    const page = before === undefined ? { size: firstPageSize } : { before };
    const args = { workspace_id: params.workspaceId, filter: filterOf(filter), ...page };
    return await json<{ lines: AuditLine[]; next: number | null; actors: AuditLine["actor"][] }>(db.rpc("list_audit", args));
  });

  file(auditEndpoints.export, async ({ db, params, query: { format, ...filter } }) => {
    const content = await exportAudit(db, params.workspaceId, filter, format);
    const subdomain = await findSubdomain(db, params.workspaceId);
    const name = `audit-${subdomain}-${new Date().toISOString().slice(0, 10)}.${format}`;
    return { name, content, ...(format === "jsonl" && { type: "application/jsonl" }) };
  });
}

const filterOf = ({ actor, kind, from, until }: AuditFilter) => ({
  ...(actor !== undefined && { actor }),
  ...(kind !== undefined && { kinds: [...kindsOf(kind)] }),
  ...(from !== undefined && { from }),
  ...(until !== undefined && { until }),
});

const formats = {
  csv: { head: auditCsvHead(), line: auditCsvLine },
  jsonl: { head: "", line: (line: AuditLine) => `${JSON.stringify(line)}\n` },
};

function exportAudit(db: Database, workspaceId: string, filter: AuditFilter, format: keyof typeof formats) {
  const read = async (last?: AuditLine) => {
    const args = { workspace_id: workspaceId, filter: filterOf(filter), exported: true, ...(last !== undefined && { before: last.id }) };
    return (await json<{ lines: AuditLine[] }>(db.rpc("list_audit", args))).lines.map((line) => auditLine.parse(line));
  };
  return streamedLines({ ...formats[format], read });
}
