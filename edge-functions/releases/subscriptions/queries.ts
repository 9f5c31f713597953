import type { Frequency, SubscriberStatus, SubscriptionAction } from "#contract/subscriptions.ts";
import type { Sql } from "../queries/database.ts";

/** What a reader asked for. `tags` empty: everything. */
export interface Wish {
  email: string;
  frequency: Frequency;
  tags: readonly string[];
}

/** A subscriber, as the page of his own link shows him. */
export interface Subscription {
  email: string;
  status: SubscriberStatus;
  frequency: Frequency;
  /** Null: everything. */
  tags: string[] | null;
  created_at: Date;
  confirmed_at: Date | null;
  consent: unknown;
  workspace_id: string;
  workspace_name: string;
}

/** How many wishes a network has in an hour, an address in a day. */
export interface WishLimits {
  network: number;
  address: number;
}

/** Whether the workspace takes wishes; of the address the answer says nothing. */
export async function askSubscription(sql: Sql, subdomain: string, wish: Wish, network: string, limits: WishLimits): Promise<boolean> {
  const [row] = await sql<{ taken: boolean }[]>`
    select private.ask_subscription(${subdomain}, ${wish.email}, ${wish.frequency}, ${wish.tags as string[]}, ${network},
      ${JSON.stringify(limits)}::text::jsonb) as taken`;
  return row?.taken ?? false;
}

/** Whose a token is; undefined when it is nobody's. */
export async function findSubscription(sql: Sql, subdomain: string, token: string): Promise<Subscription | undefined> {
  const [row] = await sql<Subscription[]>`select * from private.subscription(${subdomain}, ${token})`;
  return row;
}

/** Whether there is such a token. */
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
