import { randomUUID } from "node:crypto";
import type { Sql } from "./database.ts";

interface Limits {
  batch?: number;
  firstWeek?: number;
}

/** The due emails of workspaces, as their jobs get them. */
export const emailsToSend = (sql: Sql, workspaces: string[], { batch = 500, firstWeek = 500 }: Limits = {}) => sql`
  select e.* from (
    select distinct d.job_id as id from private.deliveries d where d.workspace_id = any (${workspaces}) and d.state = 'waiting'
    union select e.id from private.events e where e.workspace_id = any (${workspaces}) and e.told_at is null
  ) as j, public.emails_to_send(j.id, ${batch}, ${firstWeek}) e`;

export const settleEmails = (sql: Sql, outcomes: object[], job: string = randomUUID()) =>
  sql`select public.settle_emails(${job}, ${sql.json(outcomes as never)}) as seconds`;

export async function sendEmails(sql: Sql, workspaces: string[]) {
  const emails = await emailsToSend(sql, workspaces);
  await settleEmails(
    sql,
    emails.map(({ id }) => ({ id: id as string, outcome: "done" })),
  );
  return emails;
}

/** Queues due digests, and due publications' emails to their next readers. */
export async function enqueueEmails(sql: Sql, workspaces: string[], most = 1_000): Promise<void> {
  await sql`select private.enqueue_next_readers(e, ${most}) from private.events e
    where e.workspace_id = any (${workspaces}) and e.told_at is null and e.due_at <= clock_timestamp()`;
  await sql`select public.enqueue_digests()`;
}
