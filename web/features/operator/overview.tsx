import type { ReactNode } from "react";
import type { OperatorAct, OperatorOverview } from "#contract/operator.ts";
import { Icon } from "../../ui/icon.tsx";
import { moment } from "../../lib/moment.ts";
import { addOnLabels } from "../add-ons/add-on-labels.ts";
import { byteSize } from "./byte-size.ts";
import css from "./operator.module.css";

/** How an installation is doing: disk, backups, email, jobs. */
export function Overview({ overview: { email, jobs, storage, machine } }: { overview: OperatorOverview }) {
  return (
    <>
      <section aria-labelledby="server">
        <h2 id="server">Server</h2>
        <dl className={css.facts}>
          <Fact name="Free disk space" warns={machine !== null && machine.free_bytes < machine.disk_bytes / 10}>
            {machine ? `${byteSize(machine.free_bytes)} of ${byteSize(machine.disk_bytes)}` : "Unknown: see your Supabase project"}
          </Fact>
          <Fact name="Last backup" warns={machine !== null && isOld(machine.backed_up_at)}>
            <Backup machine={machine} />
          </Fact>
          <Fact name="Database">{byteSize(storage.database_bytes)}</Fact>
          <Fact name="Files">{byteSize(storage.file_bytes)}</Fact>
        </dl>
      </section>
      <section aria-labelledby="email">
        <h2 id="email">Email</h2>
        <dl className={css.facts}>
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
        </dl>
        {email.last_error && (
          <p className={css.error}>
            <span className={css.detail}>Last error, {moment(email.last_error.at)}</span>
            {email.last_error.text}
          </p>
        )}
      </section>
      <section aria-labelledby="jobs">
        <h2 id="jobs">Jobs</h2>
        <table className={css.jobs} aria-labelledby="jobs">
          <thead>
            <tr>
              <th scope="col">Job</th>
              <th scope="col">Due</th>
              <th scope="col">Failing</th>
              <th scope="col">Waiting since</th>
            </tr>
          </thead>
          <tbody>
            {jobs.map(({ kind, waiting, failed, oldest_at }) => (
              <tr key={kind}>
                <th scope="row">{jobNames[kind]}</th>
                <td data-label="Due" className={css.number}>
                  {waiting.toLocaleString()}
                </td>
                <td data-label="Failing" className={css.number}>
                  <Value warns={failed > 0}>{failed}</Value>
                </td>
                <td data-label="Waiting since">{oldest_at ? moment(oldest_at) : "–"}</td>
              </tr>
            ))}
          </tbody>
        </table>
      </section>
    </>
  );
}

/** What operators did, the newest first. */
export function OperatorLog({ log }: { log: readonly OperatorAct[] }) {
  if (log.length === 0) return null;
  return (
    <section aria-labelledby="log">
      <h2 id="log">Operator log</h2>
      <ul role="list" className={css.log}>
        {log.map((act) => (
          <li key={act.id}>
            <span>{sentenceOf(act)}</span>
            <span className={css.detail}>
              {act.operator_name ?? "Deleted account"} · <time dateTime={act.happened_at}>{moment(act.happened_at)}</time>
            </span>
          </li>
        ))}
      </ul>
    </section>
  );
}

const jobNames: Record<OperatorOverview["jobs"][number]["kind"], string> = {
  emails: "Emails",
  webhooks: "Webhooks",
  scheduled_posts: "Scheduled posts",
  backups: "Workspace backups",
  file_removals: "File removals",
};

function sentenceOf(act: OperatorAct): string {
  const subject = act.subject ?? "a deleted account";
  switch (act.kind) {
    case "add_on_granted":
      return `Granted ${addOnLabels[act.details.add_on].name} to ${subject}`;
    case "suspended":
      return `Suspended ${subject}${act.details.message && `: “${act.details.message}”`}`;
    case "resumed":
      return `Lifted the suspension of ${subject}`;
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
      <span className={css.detail}>
        {moment(machine.backed_up_at)}
        {machine.backup_bytes !== null && `, ${byteSize(machine.backup_bytes)}`}
      </span>
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
      <dt>{name}</dt>
      <dd>
        <Value warns={warns}>{children}</Value>
      </dd>
    </div>
  );
}

function Value({ warns, children }: Omit<FactProps, "name">) {
  const value = typeof children === "number" ? children.toLocaleString() : children;
  if (!warns) return value;
  return (
    <span className={css.warns}>
      <Icon name="exclamation-triangle" />
      <span>{value}</span>
    </span>
  );
}
