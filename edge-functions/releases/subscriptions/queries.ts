import type { Frequency, SubscriberStatus, SubscriptionAction } from "#contract/subscriptions.ts";
import type { Sql } from "../queries/database.ts";

export interface SubscriptionRequest {
  email: string;
  frequency: Frequency;
  tags: readonly string[];
}

export interface Subscription {
  email: string;
  status: SubscriberStatus;
  frequency: Frequency;
  tags: string[] | null;
  created_at: Date;
  confirmed_at: Date | null;
  consent: unknown;
  workspace_id: string;
  workspace_name: string;
  workspace_subdomain: string;
}

export interface WishLimits {
  network: number;
  address: number;
}

export async function askSubscription(
  sql: Sql,
  reader: string,
  request: SubscriptionRequest,
  network: string,
  limits: WishLimits,
): Promise<boolean> {
  const [row] = await sql<{ taken: boolean }[]>`
    select private.ask_subscription(${reader}, ${request.email}, ${request.frequency}, ${request.tags as string[]}, ${network},
      ${JSON.stringify(limits)}::text::jsonb) as taken`;
  return row?.taken ?? false;
}

/** `subdomain` null: of any workspace. */
export async function findSubscription(sql: Sql, subdomain: string | null, token: string): Promise<Subscription | undefined> {
  const [row] = await sql<Subscription[]>`select * from private.subscription(${subdomain}, ${token})`;
  return row;
}

/** The subdomain of the token's workspace, "" for an invalid token. */
export const subdomainOf = async (sql: Sql, token: string): Promise<string> =>
  (await findSubscription(sql, null, token))?.workspace_subdomain ?? "";

export async function changeSubscription(
  sql: Sql,
  subdomain: string,
  token: string,
  action: SubscriptionAction,
  { frequency = null, tags = null }: { frequency?: Frequency | null; tags?: readonly string[] | null } = {},
): Promise<boolean> {
  const [row] = await sql<{ known: boolean }[]>`
    select private.change_subscription(${subdomain}, ${token}, ${action}, ${frequency}, ${tags as string[] | null}) as known`;
  return row?.known ?? false;
}
