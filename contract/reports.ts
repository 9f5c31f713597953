import { z } from "zod";
import { endpoint } from "./endpoint.ts";
import { id, success, time } from "./fields.ts";
import { mailAddress } from "./mail-address.ts";

const params = z.object({ workspaceId: id });
const managers = ["owner", "admin"] as const;

/** How many may be named beside the owner. */
export const reportRecipientsMax = 20;

/**
 * Who gets the report of each month. The `owner`, whoever that is, without having been named; a `member` who is named, while he is one; any other
 * `address` is `asked` first. `stopped`: by its own link, mails came back, or the person's own wish. `id` null: the owner, of whom nothing is kept yet.
 */
export const reportRecipient = z.object({
  id: id.nullable(),
  email: z.string(),
  name: z.string().nullable(),
  kind: z.enum(["owner", "member", "address"]),
  state: z.enum(["asked", "active", "stopped"]),
});
export type ReportRecipient = z.infer<typeof reportRecipient>;

const month = z.iso.date();

/** `mine`: whether who asks gets it. `last_month`: the first day of the last month that is over; `held`: nothing goes out now. */
export const reports = z.object({
  recipients: z.array(reportRecipient),
  mine: z.boolean(),
  next_at: time,
  last_month: month,
  held: z.boolean(),
});
export type Reports = z.infer<typeof reports>;

export const newReportRecipient = z.object({
  email: z
    .string({ error: "Please enter an email address" })
    .trim()
    .refine((text) => mailAddress(text) !== null, { error: "Please enter a valid email address" }),
});

/** What the page of a report's link shows. */
export const reportLink = z.object({ workspace: z.string(), email: z.string(), state: reportRecipient.shape.state });
export type ReportLink = z.infer<typeof reportLink>;

export const reportActions = ["stop", "start"] as const;
export type ReportAction = (typeof reportActions)[number];

const linkParams = z.object({ token: z.string().regex(/^[\w-]{48}$/) });

/** The sums of a month, as counted by day (contract/analytics.ts). */
export interface MonthTotals {
  views: number;
  readers: number;
  widget_opens: number;
  clicks: number;
  subscribed: number;
  left: number;
  mails_sent: number;
}

export interface MonthPost {
  title: string;
  slug: string;
  views: number;
}

interface Named {
  name: string;
  count: number;
}

/** What a report tells of a month (public.report_numbers). `open`: the page can be read, so that links to posts lead somewhere; `analytics`: so does one to the numbers. */
export interface MonthNumbers {
  open: boolean;
  analytics: boolean;
  totals: MonthTotals;
  /** Of the month before. */
  previous: MonthTotals;
  /** How many posts were published; `posts` are the newest of them. */
  published: number;
  posts: MonthPost[];
  most_read: MonthPost[];
  referrers: Named[];
  searches: Named[];
}

export const reportEndpoints = {
  read: endpoint({
    method: "GET",
    path: "/api/workspaces/{workspaceId}/reports",
    summary: "Who gets the report of each month by mail, and when the next one goes out; needs the reports add-on",
    access: managers,
    params,
    status: 200,
    response: reports,
    errors: ["forbidden", "add_on_required"],
  }),
  add: endpoint({
    method: "POST",
    path: "/api/workspaces/{workspaceId}/reports/recipients",
    summary: "Name somebody who is to get it: a member at once, any other address once its owner has said yes in the mail that asks",
    access: managers,
    limit: "addReportRecipient",
    params,
    body: newReportRecipient,
    status: 201,
    response: z.object({ added: z.boolean(), recipient: reportRecipient }),
    errors: ["forbidden", "add_on_required"],
  }),
  remove: endpoint({
    method: "DELETE",
    path: "/api/workspaces/{workspaceId}/reports/recipients/{recipientId}",
    summary: "Take one who was named off the list",
    access: managers,
    params: z.object({ workspaceId: id, recipientId: id }),
    status: 200,
    response: success,
    errors: ["forbidden", "add_on_required"],
  }),
  setMine: endpoint({
    method: "PUT",
    path: "/api/workspaces/{workspaceId}/reports/mine",
    summary: "Whether oneself gets it",
    access: managers,
    params,
    body: z.object({ gets: z.boolean() }),
    status: 200,
    response: z.object({ success: z.literal(true), mine: z.boolean() }),
    errors: ["forbidden", "add_on_required"],
  }),
  preview: endpoint({
    method: "POST",
    path: "/api/workspaces/{workspaceId}/reports/preview",
    summary: "Send last month's report to oneself now",
    access: managers,
    limit: "reportPreview",
    params,
    status: 200,
    response: z.object({ sent: z.boolean(), to: z.string() }),
    errors: ["forbidden", "add_on_required"],
  }),
  openLink: endpoint({
    method: "GET",
    path: "/api/reports/{token}",
    summary: "Where programs that do not stop by one click take a person: on to the page with the buttons; changes nothing",
    access: "public",
    limit: "reportLink",
    params: linkParams,
    status: 302,
    response: z.object({ location: z.string() }),
  }),
  link: endpoint({
    method: "GET",
    path: "/api/reports/{token}/recipient",
    summary: "Whose the link in a report is",
    access: "public",
    limit: "reportLink",
    params: linkParams,
    status: 200,
    response: reportLink,
  }),
  change: endpoint({
    method: "POST",
    path: "/api/reports/{token}",
    summary: "Stop the reports (also by one click of a mail program, whose form is not read), or start them",
    access: "public",
    limit: "reportLink",
    params: linkParams,
    query: z.object({ action: z.enum(reportActions).default("stop") }),
    status: 200,
    response: success,
  }),
} as const;
