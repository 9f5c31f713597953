import { createClient, type SupabaseClient } from "@supabase/supabase-js";
import type { AnswerOf, Database, Json } from "#contract/database.ts";
import { withoutSession } from "./clients.ts";
import type { Env } from "./env.ts";
import type { Handed } from "./mail.ts";
import { scaledSize } from "#contract/rate-limits.ts";
import type { MonthNumbers, ReportAction, ReportLink } from "#contract/reports.ts";

const head = "id, slug, title, excerpt, tags, author_name, published_at, version";
export type PostHead = Omit<AnswerOf<"mail_posts">[number], "content_raw">;

export type Settled = { id: string; attempt: number } & (Handed | { outcome: "dropped" | "back" });

/**
 * Outgoing emails and report links, with the service role (supabase/schemas/76-email.sql, 78-reports.sql): workers have no user,
 * and users may not read subscribers' addresses.
 */
export class Outbox {
  readonly #service: SupabaseClient<Database>;

  readonly #firstWeek: number;

  constructor({ supabaseUrl, secretKey, mailFirstWeek, rateLimitScale }: Env) {
    this.#service = createClient<Database>(supabaseUrl, secretKey, withoutSession);
    this.#firstWeek = scaledSize({ size: mailFirstWeek, seconds: 86_400 }, rateLimitScale);
  }

  async prepare(): Promise<void> {
    await this.#service.rpc("prepare_deliveries").throwOnError();
  }

  /** Separate, so a failure doesn't delay other emails. */
  async prepareReports(): Promise<void> {
    await this.#service.rpc("prepare_reports").throwOnError();
  }

  async claim(batch: number): Promise<AnswerOf<"claim_mails">> {
    return (await this.#service.rpc("claim_mails", { batch, first_week: this.#firstWeek, reports: true, members: true }).throwOnError())
      .data;
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

  async claimAccountMails(): Promise<AnswerOf<"claim_account_mails">> {
    return (await this.#service.rpc("claim_account_mails").throwOnError()).data;
  }

  async accountMailSent(mail: string): Promise<void> {
    await this.#service.rpc("account_mail_sent", { mail }).throwOnError();
  }

  async settle(outcomes: readonly Settled[]): Promise<void> {
    await this.#service.rpc("settle_deliveries", { outcomes: outcomes as unknown as Json }).throwOnError();
  }
}
