import { z } from "zod";
import { endpoint } from "./endpoint.ts";
import { id, success, time } from "./fields.ts";
import { managers, roles } from "./kinds.ts";
import { senderNameMaxLength, tagMaxLength, tagsPerPost, undoMinutesMax } from "./limits.ts";
import { mailAddress } from "./mail-address.ts";
import { frequencies, subscriberStatuses } from "./subscriptions.ts";

/** For owners and admins. `tags` null: everything; empty: nothing, as all chosen tags are gone. */
export const subscriber = z.object({
  id,
  email: z.string(),
  status: z.enum(subscriberStatuses),
  frequency: z.enum(frequencies),
  tags: z.array(z.string()).nullable(),
  created_at: time,
  confirmed_at: time.nullable(),
});
export type Subscriber = z.infer<typeof subscriber>;

const count = z.int().nonnegative();

/** All but statuses count active subscribers; `everything`: no tags chosen. `weeks`: confirmations, the current week last. */
export const subscriberNumbers = z.object({
  ...{ active: count, pending: count, paused: count, left: count, suppressed: count },
  ...{ instant: count, daily: count, weekly: count },
  everything: count,
  tags: z.array(z.object({ key: z.string(), readers: count })),
  weeks: z.array(count),
});
export type SubscriberNumbers = z.infer<typeof subscriberNumbers>;

const wrongUndoMinutes = { error: `Please choose 0 to ${undoMinutesMax} minutes` };

/** `undo_minutes`: delay before a publication is emailed, in which it can be undone. */
export const mailSettings = z.object({
  enabled: z.boolean(),
  undo_minutes: z.int(wrongUndoMinutes).min(0, wrongUndoMinutes).max(undoMinutesMax, wrongUndoMinutes),
  sender_name: z
    .string()
    .trim()
    .max(senderNameMaxLength, { error: `Please use at most ${senderNameMaxLength} characters` })
    .nullable(),
  reply_to: z
    .string()
    .trim()
    .refine((text) => mailAddress(text) !== null, { error: "Please enter a valid email address" })
    .nullable(),
  /** For digests at 9:00; an IANA name. */
  time_zone: z.string().min(1, { error: "This isn't a valid time zone" }).max(64, { error: "This isn't a valid time zone" }),
});
export type MailSettings = z.infer<typeof mailSettings>;

/** `held_at`: sending is paused until the operator has looked into it; pending emails are kept. */
export const shownMailSettings = mailSettings.extend({
  held_at: time.nullable(),
  held_reason: z.enum(["bounces", "complaints"]).nullable(),
});
export type ShownMailSettings = z.infer<typeof shownMailSettings>;

export const noMailSettings: ShownMailSettings = {
  ...{ enabled: false, undo_minutes: 5, sender_name: null, reply_to: null, time_zone: "UTC" },
  ...{ held_at: null, held_reason: null },
};

/** An email that the caller asked for. False: no transport is configured, or it refused. */
export const sentEmail = z.object({ sent: z.boolean(), to: z.string() });
export type SentEmail = z.infer<typeof sentEmail>;

/** `now` get it `undo_minutes` after publication, `digests` with the next digest. `quiet`: without emails; `told`: already emailed. */
export const mailAudience = z.object({
  enabled: z.boolean(),
  now: count,
  digests: count,
  undo_minutes: count,
  quiet: z.boolean(),
  told: z.boolean(),
});
export type MailAudience = z.infer<typeof mailAudience>;

export const subscribersPageSize = 50;
export const subscribersPage = z.coerce.number().int().min(1).max(100_000);

export const subscriberFilter = z.object({
  status: z.enum(["all", ...subscriberStatuses]).default("all"),
  frequency: z.enum(["all", ...frequencies]).default("all"),
  tag: z.string().min(1).max(tagMaxLength).optional(),
  q: z.string().trim().max(254).optional(),
});
export type SubscriberFilter = z.infer<typeof subscriberFilter>;

const chosenTags = z.array(z.string().min(1).max(tagMaxLength)).max(tagsPerPost);

/** Gets a confirmation email. No tags: everything. */
export const newSubscriber = z.object({
  email: z
    .string({ error: "Please enter an email address" })
    .trim()
    .refine((text) => mailAddress(text) !== null, { error: "Please enter a valid email address" }),
  frequency: z.enum(frequencies).default("instant"),
  tags: chosenTags.default([]),
});

export const importBatch = 1_000;
export const importMaxLines = 50_000;

/** Declaration for an import without confirmation emails; stored with each address. */
export const importDeclaration = "Everyone on this list agreed to get these emails, and I can prove it.";

export const importedReader = z.object({
  email: z.string().max(320),
  frequency: z.enum(frequencies).default("instant"),
  tags: chosenTags.nullable().default(null),
  confirmed_at: time.nullable().default(null),
});
export type ImportedReader = z.infer<typeof importedReader>;

/**
 * `known`: existing ones, unchanged; `refused`: must not be emailed, or asked four times today; `invalid`: indexes of invalid addresses.
 */
export const importOutcome = z.object({ added: count, known: count, refused: count, invalid: z.array(count) });
export type ImportOutcome = z.infer<typeof importOutcome>;

export const mailRecordStates = ["found", "missing", "wrong", "unknown"] as const;
export const mailCheck = z.object({
  domain: z.string().nullable(),
  records: z.array(
    z.object({
      kind: z.enum(["SPF", "DKIM", "DMARC"]),
      state: z.enum(mailRecordStates),
      /** Queried name; null if unknown. */
      name: z.string().nullable(),
      value: z.string().nullable(),
      text: z.string(),
    }),
  ),
});
export type MailCheck = z.infer<typeof mailCheck>;

export const subscriberEndpoints = {
  list: endpoint("GET /api/workspaces/{workspaceId}/subscribers", {
    summary: "List subscribers, newest first; `q` is part of an address, `tag` a chosen one",
    access: managers,
    query: subscriberFilter.extend({ page: subscribersPage.default(1) }),
    response: z.object({
      subscribers: z.array(subscriber),
      pagination: z.object({ page: z.int(), pages: z.int(), total: z.int() }),
    }),
  }),
  add: endpoint("POST /api/workspaces/{workspaceId}/subscribers", {
    summary: "Add a subscriber, who gets a confirmation email; existing ones stay, unconfirmed ones are asked again",
    access: managers,
    limit: "addSubscriber",
    body: newSubscriber,
    status: 201,
    response: z.object({ added: z.boolean(), subscriber }),
  }),
  import: endpoint("POST /api/workspaces/{workspaceId}/subscribers/import", {
    summary: "Import subscribers, at most 1,000 per call; idempotent",
    access: managers,
    limit: "importSubscribers",
    body: z.object({
      readers: z.array(importedReader).min(1).max(importBatch),
      /** The importer declares their consent; otherwise each gets a confirmation email. */
      declared: z.boolean().default(false),
      trial: z.boolean().default(false),
    }),
    carriesContent: true,
    response: importOutcome,
  }),
  export: endpoint("GET /api/workspaces/{workspaceId}/subscribers/export", {
    summary: "Export subscribers, all or filtered, as CSV ordered by address",
    access: managers,
    limit: "export",
    query: subscriberFilter,
    download: "text/csv",
    response: z.string(),
  }),
  numbers: endpoint("GET /api/workspaces/{workspaceId}/subscribers/numbers", {
    summary: "Count subscribers",
    access: roles,
    response: z.object({ numbers: subscriberNumbers }),
  }),
  audience: endpoint("GET /api/workspaces/{workspaceId}/subscribers/audience", {
    summary: "Count the recipients of a post; `tags` comma-separated, `post` its id if saved",
    access: roles,
    query: z.object({
      tags: z
        .string()
        .max(tagsPerPost * (tagMaxLength + 1))
        .default("")
        .transform((list) => list.split(",").filter((tag) => tag !== "")),
      post: id.optional(),
    }),
    response: z.object({ audience: mailAudience }),
  }),
  remove: endpoint("DELETE /api/workspaces/{workspaceId}/subscribers/{subscriberId}", {
    summary: "Remove a subscriber; with ?erase=true imports can't add the address again",
    access: managers,
    query: z.object({ erase: z.enum(["true", "false"]).default("false") }),
    response: success,
  }),
  mailCheck: endpoint("GET /api/workspaces/{workspaceId}/mail-check", {
    summary: "Check SPF, DKIM and DMARC of the sender's domain",
    access: managers,
    limit: "mailCheck",
    response: mailCheck,
  }),
  testMail: endpoint("POST /api/workspaces/{workspaceId}/mail-check", {
    summary: "Send a digest of the newest posts to yourself",
    access: managers,
    limit: "testMail",
    response: sentEmail,
  }),
  settings: endpoint("GET /api/workspaces/{workspaceId}/mail-settings", {
    summary: "Read the email settings",
    access: roles,
    response: z.object({ settings: shownMailSettings }),
  }),
  saveSettings: endpoint("PUT /api/workspaces/{workspaceId}/mail-settings", {
    summary: "Change the email settings; absent fields stay",
    access: managers,
    body: mailSettings.partial(),
    response: z.object({ success: z.literal(true), settings: shownMailSettings }),
  }),
} as const;
