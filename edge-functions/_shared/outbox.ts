import { createClient, type SupabaseClient } from "@supabase/supabase-js";
import type { AnswerOf, Database, Json } from "#contract/database.ts";
import { withoutSession } from "./clients.ts";
import type { Env } from "./env.ts";
import type { Handed } from "./mail.ts";
import { scaledSize } from "#contract/rate-limits.ts";
import type { MonthNumbers, ReportAction, ReportLink } from "#contract/reports.ts";

const head = "id, slug, title, excerpt, tags, author_name, published_at, version";
/** A post without its content. */
export type PostHead = Omit<AnswerOf<"mail_posts">[number], "content_raw">;

/** One that is to be tried, with the name that readers of its workspace are led to. */
export type ClaimedWebhook = AnswerOf<"work_webhooks">[number] & { domain?: string | null };

/** How a delivery went; `dropped`: there is nothing to deliver any more, `back`: it was never begun. `attempt`: as it was claimed. */
export type Settled = { id: string; attempt: number } & (Handed | { outcome: "dropped" | "back" });

/**
 * What leaves the house, for the worker that sends it, and the links in reports (supabase/schemas/76-email.sql, 78-reports.sql). The fourth place that speaks with the service role: a
 * no person asks for a delivery, and none may read the addresses of subscribers.
 */
export class Outbox {
  readonly #service: SupabaseClient<Database>;

  readonly #firstWeek: number;

  constructor({ supabaseUrl, secretKey, mailFirstWeek, rateLimitScale }: Env) {
    this.#service = createClient<Database>(supabaseUrl, secretKey, withoutSession);
    this.#firstWeek = scaledSize({ size: mailFirstWeek, seconds: 86_400 }, rateLimitScale);
  }

  /** Makes deliveries of what is due. */
  async prepare(): Promise<void> {
    await this.#service.rpc("prepare_deliveries").throwOnError();
  }

  /** The same of a month's reports: a call of its own, so that a failure in it delays no other mails. */
  async prepareReports(): Promise<void> {
    await this.#service.rpc("prepare_reports").throwOnError();
  }

  /** Takes up to so many for two minutes; after that another worker may. */
  async claim(batch: number): Promise<AnswerOf<"claim_mails">> {
    return (await this.#service.rpc("claim_mails", { batch, first_week: this.#firstWeek, reports: true, members: true }).throwOnError())
      .data;
  }

  /** Those that readers may still see, without their contents. */
  async postHeads(ids: readonly string[]): Promise<PostHead[]> {
    return (
      await this.#service
        .rpc("mail_posts", { ids: [...ids] })
        .select(head)
        .throwOnError()
    ).data;
  }

  /** One of them with its content; null where readers may not see it any more. */
  async post(id: string): Promise<AnswerOf<"mail_posts">[number] | null> {
    return (await this.#service.rpc("mail_posts", { ids: [id] }).throwOnError()).data[0] ?? null;
  }

  /** What a report tells of a month, given by its first day; the same for everybody who gets it. */
  async month(workspaceId: string, month: string): Promise<MonthNumbers> {
    return (await this.#service.rpc("report_numbers", { workspace_id: workspaceId, month }).throwOnError()).data as unknown as MonthNumbers;
  }

  /** The person whom the link in a report belongs to; null when it belongs to none. */
  async reportLink(token: string): Promise<ReportLink | null> {
    return (await this.#service.rpc("report_link", { token }).throwOnError()).data as ReportLink | null;
  }

  /** Whether there is such a link. */
  async changeReport(token: string, action: ReportAction): Promise<boolean> {
    return (await this.#service.rpc("change_report", { token, action }).throwOnError()).data;
  }

  /** What providers tell of mails; answers how much of it was new. */
  async note(events: readonly object[]): Promise<number> {
    return (await this.#service.rpc("note_mail_events", { events: events as unknown as Json }).throwOnError()).data;
  }

  /** Of webhooks and chats: records how tries went, and takes up to so many more. */
  async webhooks(outcomes: readonly object[], room: number): Promise<ClaimedWebhook[]> {
    const claimed = (await this.#service.rpc("work_webhooks", { outcomes: outcomes as unknown as Json, room }).throwOnError()).data ?? [];
    if (claimed.length === 0) return [];
    const workspace_ids = [...new Set(claimed.map(({ workspace_id }) => workspace_id))];
    // Taken is taken: without an answer here, addresses are those below ours, which lead to the others.
    const { data } = await this.#service.rpc("own_hosts", { workspace_ids });
    const hosts = new Map(data?.map(({ workspace_id, host }) => [workspace_id, host]));
    return claimed.map((one) => ({ ...one, domain: hosts.get(one.workspace_id) ?? null }));
  }

  /** What webhooks tell of a post; null where readers may not see it any more. */
  async webhookPost(id: string): Promise<AnswerOf<"webhook_posts">[number] | null> {
    return (await this.#service.rpc("webhook_posts", { ids: [id] }).throwOnError()).data[0] ?? null;
  }

  /** Mails about accounts: takes up to fifty for a while. */
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
