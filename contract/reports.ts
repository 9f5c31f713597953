import { z } from "zod";
import { endpoint } from "./endpoint.ts";
import { id, success, time } from "./fields.ts";
import { managers } from "./kinds.ts";
import { mailAddress } from "./mail-address.ts";
import { sentEmail } from "./subscribers.ts";

export const reportRecipientsMax = 20;

/**
 * The current `owner` gets it without being named; a `member` while they are one; any other `address` must confirm first (`asked`).
 * `stopped`: unsubscribed, bounced, or by the person's setting. `id` null: the owner, not stored yet.
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

/** `mine`: the caller gets it. `last_month`: first day of the last full month; `held`: sending is paused. */
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

export const reportLink = z.object({ workspace: z.string(), email: z.string(), state: reportRecipient.shape.state });
export type ReportLink = z.infer<typeof reportLink>;

export const reportActions = ["stop", "start"] as const;
export type ReportAction = (typeof reportActions)[number];

const linkParams = z.object({ token: z.string().regex(/^[\w-]{48}$/) });

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

/** Data of a monthly report (public.report_numbers). `open`, `analytics`: posts and the analytics page can be linked. */
export interface MonthNumbers {
  open: boolean;
  analytics: boolean;
  totals: MonthTotals;
  previous: MonthTotals;
  published: number;
  posts: MonthPost[];
  most_read: MonthPost[];
  referrers: Named[];
  searches: Named[];
}

export const reportEndpoints = {
  read: endpoint("GET /api/workspaces/{workspaceId}/reports", {
    summary: "List the recipients of the monthly report and its next date; needs the reports add-on",
    access: managers,
    response: reports,
    errors: ["add_on_required"],
  }),
  add: endpoint("POST /api/workspaces/{workspaceId}/reports/recipients", {
    summary: "Add a recipient: a member at once, any other address after confirming by email",
    access: managers,
    limit: "addReportRecipient",
    body: newReportRecipient,
    status: 201,
    response: z.object({ added: z.boolean(), recipient: reportRecipient }),
    errors: ["add_on_required"],
  }),
  remove: endpoint("DELETE /api/workspaces/{workspaceId}/reports/recipients/{recipientId}", {
    summary: "Remove a recipient",
    access: managers,
    response: success,
    errors: ["add_on_required"],
  }),
  setMine: endpoint("PUT /api/workspaces/{workspaceId}/reports/mine", {
    summary: "Turn your own report on or off",
    access: managers,
    body: z.object({ gets: z.boolean() }),
    response: z.object({ success: z.literal(true), mine: z.boolean() }),
    errors: ["add_on_required"],
  }),
  preview: endpoint("POST /api/workspaces/{workspaceId}/reports/preview", {
    summary: "Email last month's report to yourself now",
    access: managers,
    limit: "reportPreview",
    response: sentEmail,
    errors: ["add_on_required"],
  }),
  openLink: endpoint("GET /api/reports/{token}", {
    summary: "Fallback of one-click unsubscribe: redirects to the page with the buttons; changes nothing",
    access: "public",
    limit: "reportLink",
    params: linkParams,
    status: 302,
    response: z.object({ location: z.string() }),
  }),
  link: endpoint("GET /api/reports/{token}/recipient", {
    summary: "Read a report link's recipient",
    access: "public",
    limit: "reportLink",
    params: linkParams,
    response: reportLink,
  }),
  change: endpoint("POST /api/reports/{token}", {
    summary: "Stop the reports (also by an email client's one-click request, whose body is ignored) or resume them",
    access: "public",
    limit: "reportLink",
    params: linkParams,
    query: z.object({ action: z.enum(reportActions).default("stop") }),
    response: success,
  }),
} as const;
