import type { z } from "zod";
import { subscriberFilter, type SubscriberFilter, subscribersPage } from "#contract/subscribers.ts";
import { type ListView, withParams } from "../../lib/use-view-address.ts";

/** Which subscribers are shown, as it stands in the address: `?q=ada&status=left&page=2`. */
export type SubscriberView = ListView & Omit<SubscriberFilter, "q">;

export const everybody: SubscriberView = { status: "all", frequency: "all", tag: undefined, search: "", page: 1 };

/** What an address field takes. */
export const searchMaxLength = 254;

const { status, frequency, tag } = subscriberFilter.shape;
const valid = <Schema extends z.ZodType>(schema: Schema, text: string | null) => schema.safeParse(text ?? undefined).data;

export const subscriberView = {
  read: (address: URLSearchParams): SubscriberView => ({
    search: address.get("q") ?? everybody.search,
    status: valid(status, address.get("status")) ?? everybody.status,
    frequency: valid(frequency, address.get("frequency")) ?? everybody.frequency,
    tag: valid(tag, address.get("tag")),
    page: valid(subscribersPage, address.get("page")) ?? everybody.page,
  }),
  write: (view: SubscriberView, address: URLSearchParams): URLSearchParams =>
    withParams(address, {
      q: view.search.trim() === "" ? undefined : view.search,
      status: view.status === everybody.status ? undefined : view.status,
      frequency: view.frequency === everybody.frequency ? undefined : view.frequency,
      tag: view.tag,
      page: view.page === everybody.page ? undefined : String(view.page),
    }),
};

/** What is asked for, but for the page. */
export function filterOf({ search, status, frequency, tag }: SubscriberView): SubscriberFilter {
  return { status, frequency, tag, q: search.trim().slice(0, searchMaxLength) || undefined };
}

export const isNarrowed = (view: SubscriberView): boolean =>
  subscriberView.write({ ...view, page: 1 }, new URLSearchParams()).toString() !== "";
