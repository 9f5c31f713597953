import type { ReactNode } from "react";
import type { OperatorAct, OperatorOverview } from "#contract/operator.ts";
import { type Column, DataTable } from "../../ui/data-table.tsx";
import { Icon } from "../../ui/icon.tsx";
import { Grid, Note, Row, Stack, Text } from "../../ui/layout.tsx";
import { ListSection } from "../../ui/list-section.tsx";
import { moment } from "../../lib/moment.ts";
import { addOnLabels } from "../add-ons/add-on-labels.ts";
import { formatSize } from "../backups/backup-labels.ts";

/** State of the installation: disk, backups, email, jobs. */
export function Overview({ overview: { email, jobs, storage, machine } }: { overview: OperatorOverview }) {
  return (
    <>
      <ListSection id="server" title="Server">
        <Grid as="dl" min="9.5rem" gap={6}>
          <Fact name="Free disk space" warns={machine !== null && machine.free_bytes < machine.disk_bytes / 10}>
            {machine ? `${formatSize(machine.free_bytes)} of ${formatSize(machine.disk_bytes)}` : "Unknown: see your Supabase project"}
          </Fact>
          <Fact name="Last backup" warns={machine !== null && isOld(machine.backed_up_at)}>
            <Backup machine={machine} />
          </Fact>
          <Fact name="Database">{formatSize(storage.database_bytes)}</Fact>
          <Fact name="Files">{formatSize(storage.file_bytes)}</Fact>
        </Grid>
      </ListSection>
      <ListSection id="email" title="Email">
        <Grid as="dl" min="9.5rem" gap={6}>
          <Fact name="Sent in 24 hours">{email.sent}</Fact>
          <Fact name="Failed in 24 hours" warns={email.failed > 0}>
            {email.failed}
          </Fact>
          <Fact name="Bounced in 7 days">{email.bounced}</Fact>
          <Fact name="Complaints in 7 days" warns={email.complaints > 0}>
            {email.complaints}
          </Fact>
          <Fact name="Workspaces on hold" warns={email.workspaces_on_hold > 0}>
            {email.workspaces_on_hold}
          </Fact>
        </Grid>
        {email.last_error && (
          <div>
            <Note>Last error, {moment(email.last_error.at)}</Note>
            <Text>{email.last_error.text}</Text>
          </div>
        )}
      </ListSection>
      <ListSection id="jobs" title="Jobs">
        <DataTable aria-labelledby="jobs" columns={jobColumns} rows={jobs} rowKey={({ kind }) => kind} />
      </ListSection>
    </>
  );
}

/** Actions of operators, newest first. */
export function OperatorLog({ log }: { log: readonly OperatorAct[] }) {
  if (log.length === 0) return null;
  return (
    <ListSection id="log" title="Operator log">
      <Stack as="ul" role="list" gap={3}>
        {log.map((act) => (
          <li key={act.id}>
            <Text>{describeAct(act)}</Text>
            <Note>
              {act.operator_name ?? "Deleted account"} · <time dateTime={act.happened_at}>{moment(act.happened_at)}</time>
            </Note>
          </li>
        ))}
      </Stack>
    </ListSection>
  );
}

const jobNames: Record<Job["kind"], string> = {
  emails: "Emails",
  webhooks: "Webhooks",
  scheduled_posts: "Scheduled posts",
  backups: "Workspace backups",
  file_removals: "File removals",
};

type Job = OperatorOverview["jobs"][number];

const jobColumns: readonly Column<Job>[] = [
  { header: "Job", cell: ({ kind }) => jobNames[kind], isRowHeader: true },
  { header: "Due", cell: ({ waiting }) => waiting.toLocaleString(), card: "labelled" },
  { header: "Failing", cell: ({ failed }) => <Value warns={failed > 0}>{failed}</Value>, card: "labelled" },
  { header: "Waiting since", cell: ({ oldest_at }) => (oldest_at ? moment(oldest_at) : "–"), card: "labelled" },
];

function describeAct(act: OperatorAct): string {
  const subject = act.subject ?? "a deleted account";
  switch (act.kind) {
    case "add_on_granted":
      return `Granted ${addOnLabels[act.details.add_on].name} to ${subject}`;
    case "suspended":
      return `Suspended ${subject}${act.details.message && `: “${act.details.message}”`}`;
    case "resumed":
      return `Lifted the suspension of ${subject}`;
    case "factors_removed":
      return `Removed the two-factor authentication of ${subject}`;
    case "sign_up_link_sent":
      return `Requested a new sign-up link for ${subject}`;
  }
}

/** As the start of `npm run serve` warns. */
const backupDays = 7;
const isOld = (at: string | null): boolean => at === null || Date.now() - Date.parse(at) > backupDays * 86_400_000;

function Backup({ machine }: Pick<OperatorOverview, "machine">) {
  if (machine === null) return "Unknown: see your Supabase project";
  if (machine.backed_up_at === null) return "Never";
  return (
    <>
      {age(machine.backed_up_at)}
      <Note>
        {moment(machine.backed_up_at)}
        {machine.backup_bytes !== null && `, ${formatSize(machine.backup_bytes)}`}
      </Note>
    </>
  );
}

function age(at: string): string {
  const hours = Math.floor((Date.now() - Date.parse(at)) / 3_600_000);
  if (hours < 1) return "Less than an hour ago";
  if (hours < 48) return hours === 1 ? "1 hour ago" : `${hours} hours ago`;
  return `${Math.floor(hours / 24)} days ago`;
}

interface FactProps {
  name: string;
  warns?: boolean;
  children: ReactNode;
}

function Fact({ name, warns = false, children }: FactProps) {
  return (
    <div>
      <Note as="dt">{name}</Note>
      <Text as="dd" strong>
        <Value warns={warns}>{children}</Value>
      </Text>
    </div>
  );
}

function Value({ warns, children }: Omit<FactProps, "name">) {
  const value = typeof children === "number" ? children.toLocaleString() : children;
  if (!warns) return value;
  return (
    <Text as="div" tone="warn">
      <Row nowrap align="baseline">
        <Icon name="exclamation-triangle" />
        <div>{value}</div>
      </Row>
    </Text>
  );
}
