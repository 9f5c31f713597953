import type { z } from "zod";
import { subscriberFilter, type SubscriberFilter, subscribersPage } from "#contract/subscribers.ts";
import { type ListView, withParams } from "../../lib/use-view-address.ts";

/** Filters in the URL: `?q=ada&status=left&page=2`. */
export type SubscriberView = ListView & Omit<SubscriberFilter, "q">;

export const defaultView: SubscriberView = { status: "all", frequency: "all", tag: undefined, search: "", page: 1 };

/** Length of an email field. */
export const searchMaxLength = 254;

const { status, frequency, tag } = subscriberFilter.shape;
const valid = <Schema extends z.ZodType>(schema: Schema, text: string | null) => schema.safeParse(text ?? undefined).data;

export const subscriberView = {
  read: (address: URLSearchParams): SubscriberView => ({
    search: address.get("q") ?? defaultView.search,
    status: valid(status, address.get("status")) ?? defaultView.status,
    frequency: valid(frequency, address.get("frequency")) ?? defaultView.frequency,
    tag: valid(tag, address.get("tag")),
    page: valid(subscribersPage, address.get("page")) ?? defaultView.page,
  }),
  write: (view: SubscriberView, address: URLSearchParams): URLSearchParams =>
    withParams(address, {
      q: view.search.trim() === "" ? undefined : view.search,
      status: view.status === defaultView.status ? undefined : view.status,
      frequency: view.frequency === defaultView.frequency ? undefined : view.frequency,
      tag: view.tag,
      page: view.page === defaultView.page ? undefined : String(view.page),
    }),
};

/** API filter without the page. */
export function toFilter({ search, status, frequency, tag }: SubscriberView): SubscriberFilter {
  return { status, frequency, tag, q: search.trim().slice(0, searchMaxLength) || undefined };
}

export const isFiltered = (view: SubscriberView): boolean =>
  subscriberView.write({ ...view, page: 1 }, new URLSearchParams()).toString() !== "";
