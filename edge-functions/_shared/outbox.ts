import type { SupabaseClient } from "@supabase/supabase-js";
import type { AnswerOf, Database, Json } from "#contract/database.ts";
import { serviceClient } from "./clients.ts";
import type { Env } from "./env.ts";
import { databaseTimeoutMs } from "./jobs.ts";
import type { Handed } from "./mail.ts";
import { scaledSize } from "#contract/rate-limits.ts";
import type { MonthNumbers, ReportAction, ReportLink } from "#contract/reports.ts";

const head = "id, slug, title, excerpt, tags, author_name, published_at, version, details";
export type PostHead = Omit<AnswerOf<"mail_posts">[number], "content_raw" | "images">;

export type Outcome = Handed | { outcome: "dropped" };
export type Settled = { id: string } & Outcome;

const timeout = () => AbortSignal.timeout(databaseTimeoutMs);

/**
 * Outgoing emails and report links, with the service role (supabase/schemas/76-email.sql, 78-reports.sql): workers have no user,
 * and users may not read subscribers' addresses.
 */
export class Outbox {
  readonly #service: SupabaseClient<Database>;

  readonly #firstWeek: number;

  constructor(env: Env) {
    this.#service = serviceClient(env);
    this.#firstWeek = scaledSize({ size: env.mailFirstWeek, seconds: 86_400 }, env.rateLimitScale);
  }

  async enqueueDigests(): Promise<void> {
    await this.#service.rpc("enqueue_digests").throwOnError();
  }

  async enqueueReports(): Promise<void> {
    await this.#service.rpc("enqueue_reports").throwOnError();
  }

  async emailsToSend(job: string, batch: number): Promise<AnswerOf<"emails_to_send">> {
    const args = { job, batch, first_week: this.#firstWeek };
    return (await this.#service.rpc("emails_to_send", args).abortSignal(timeout()).throwOnError()).data;
  }

  /** Public ones only, without content. */
  async postHeads(ids: readonly string[]): Promise<PostHead[]> {
    return (
      await this.#service
        .rpc("mail_posts", { ids: [...ids] })
        .select(head)
        .throwOnError()
    ).data;
  }

  async post(id: string): Promise<AnswerOf<"mail_posts">[number] | null> {
    return (await this.#service.rpc("mail_posts", { ids: [id] }).throwOnError()).data[0] ?? null;
  }

  async month(workspaceId: string, month: string): Promise<MonthNumbers> {
    return (await this.#service.rpc("report_numbers", { workspace_id: workspaceId, month }).throwOnError()).data as unknown as MonthNumbers;
  }

  async reportLink(token: string): Promise<ReportLink | null> {
    return (await this.#service.rpc("report_link", { token }).throwOnError()).data as ReportLink | null;
  }

  async changeReport(token: string, action: ReportAction): Promise<boolean> {
    return (await this.#service.rpc("change_report", { token, action }).throwOnError()).data;
  }

  /** Returns the number of new events. */
  async note(events: readonly object[]): Promise<number> {
    return (await this.#service.rpc("note_mail_events", { events: events as unknown as Json }).throwOnError()).data;
  }

  async accountEmail(id: string): Promise<AnswerOf<"account_email">[number] | null> {
    return (await this.#service.rpc("account_email", { id }).throwOnError()).data[0] ?? null;
  }

  /** Returns the seconds until the job's next email is due; null: none is left. */
  async settle(job: string, outcomes: readonly Settled[]): Promise<number | null> {
    const args = { job, outcomes: outcomes as unknown as Json };
    return (await this.#service.rpc("settle_emails", args).abortSignal(timeout()).throwOnError()).data;
  }
}
