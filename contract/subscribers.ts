import { z } from "zod";
import { endpoint } from "./endpoint.ts";
import { id, success, time } from "./fields.ts";
import { roles } from "./kinds.ts";
import { senderNameMaxLength, tagMaxLength, tagsPerPost, undoMinutesMax } from "./limits.ts";
import { mailAddress } from "./mail-address.ts";
import { frequencies, subscriberStatuses } from "./subscriptions.ts";

const params = z.object({ workspaceId: id });

/** A reader who asked to be told, as owners and admins see him. `tags` null: everything; empty: nothing, as all that was chosen is gone. */
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

/**
 * How many there are; rhythms, `everything` (no topics chosen) and `tags` are those of active ones. `weeks`: how many were confirmed in each of
 * the last twelve, the present one last.
 */
export const subscriberNumbers = z.object({
  ...{ active: count, pending: count, paused: count, left: count, suppressed: count },
  ...{ instant: count, daily: count, weekly: count },
  everything: count,
  tags: z.array(z.object({ key: z.string(), readers: count })),
  weeks: z.array(count),
});
export type SubscriberNumbers = z.infer<typeof subscriberNumbers>;

const wrongUndoMinutes = { error: `Please choose 0 to ${undoMinutesMax} minutes` };

/** How a workspace mails its readers. `undo_minutes`: how long a publication can be taken back before anybody hears of it. */
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
  /** Of nine o'clock, when digests go out; a name of the IANA's list. */
  time_zone: z.string().min(1, { error: "This is no time zone" }).max(64, { error: "This is no time zone" }),
});
export type MailSettings = z.infer<typeof mailSettings>;

/**
 * What is shown of it: also whether the workspace is held, since when and why. Nothing goes out then, until the operator of the installation has
 * looked at it; what waits is not lost.
 */
export const shownMailSettings = mailSettings.extend({
  held_at: time.nullable(),
  held_reason: z.enum(["bounces", "complaints"]).nullable(),
});
export type ShownMailSettings = z.infer<typeof shownMailSettings>;

/** What a workspace that never saved any has. */
export const noMailSettings: ShownMailSettings = {
  ...{ enabled: false, undo_minutes: 5, sender_name: null, reply_to: null, time_zone: "UTC" },
  ...{ held_at: null, held_reason: null },
};

/**
 * Who hears of a post by mail: `now` those who hear of each, once `undo_minutes` after its publication are over, `digests` those who hear of it in
 * their next digest. `quiet`: it is scheduled to be told to nobody; `told`: they have heard of it, and nobody is told twice.
 */
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

const managers = ["owner", "admin"] as const;

/** Which subscribers: `q` is a part of an address, `tag` one that they chose. */
export const subscriberFilter = z.object({
  status: z.enum(["all", ...subscriberStatuses]).default("all"),
  frequency: z.enum(["all", ...frequencies]).default("all"),
  tag: z.string().min(1).max(tagMaxLength).optional(),
  q: z.string().trim().max(254).optional(),
});
export type SubscriberFilter = z.infer<typeof subscriberFilter>;

const chosenTags = z.array(z.string().min(1).max(tagMaxLength)).max(tagsPerPost);

/** One to be asked by mail. No tags: everything. */
export const newSubscriber = z.object({
  email: z
    .string({ error: "Please enter an email address" })
    .trim()
    .refine((text) => mailAddress(text) !== null, { error: "Please enter a valid email address" }),
  frequency: z.enum(frequencies).default("instant"),
  tags: chosenTags.default([]),
});

/** How many lines of a list one call takes, and how many a file may have. */
export const importBatch = 1_000;
export const importMaxLines = 50_000;

/** What somebody who imports says who needs nobody to be asked; kept with each address. */
export const importDeclaration = "Everybody in this list has agreed to get these mails, and I can show it.";

/** A line of a list, as it is sent: whether the address is one is decided there and here by the same rule. `tags` null: everything. */
export const importedReader = z.object({
  email: z.string().max(320),
  frequency: z.enum(frequencies).default("instant"),
  tags: chosenTags.nullable().default(null),
  confirmed_at: time.nullable().default(null),
});
export type ImportedReader = z.infer<typeof importedReader>;

/** `added` are new, `known` were there and stay as they are, `refused` may not be written to, or were asked four times today; `invalid` are no addresses, by their places. */
export const importOutcome = z.object({ added: count, known: count, refused: count, invalid: z.array(count) });
export type ImportOutcome = z.infer<typeof importOutcome>;

/** How a record of the DNS looks from outside; `unknown` where it could not be looked up. */
export const mailRecordStates = ["found", "missing", "wrong", "unknown"] as const;
export const mailCheck = z.object({
  /** Of the installation's sender; null where no mail service is set up. */
  domain: z.string().nullable(),
  records: z.array(
    z.object({
      kind: z.enum(["SPF", "DKIM", "DMARC"]),
      state: z.enum(mailRecordStates),
      /** The name that was looked up; null where it is not known. */
      name: z.string().nullable(),
      value: z.string().nullable(),
      /** What it means, and what to do. */
      text: z.string(),
    }),
  ),
});
export type MailCheck = z.infer<typeof mailCheck>;

export const subscriberEndpoints = {
  list: endpoint({
    method: "GET",
    path: "/api/workspaces/{workspaceId}/subscribers",
    summary: "Readers who get mails, newest first; `q` is a part of an address, `tag` one that they chose",
    access: managers,
    params,
    query: subscriberFilter.extend({ page: subscribersPage.default(1) }),
    status: 200,
    response: z.object({
      subscribers: z.array(subscriber),
      pagination: z.object({ page: z.int(), pages: z.int(), total: z.int() }),
    }),
    errors: ["forbidden"],
  }),
  add: endpoint({
    method: "POST",
    path: "/api/workspaces/{workspaceId}/subscribers",
    summary: "Ask a reader by mail; one who is there already stays as he is, one who never confirmed is asked again",
    access: managers,
    limit: "addSubscriber",
    params,
    body: newSubscriber,
    status: 201,
    response: z.object({ added: z.boolean(), subscriber }),
    errors: ["forbidden"],
  }),
  import: endpoint({
    method: "POST",
    path: "/api/workspaces/{workspaceId}/subscribers/import",
    summary: "Add readers of a list, at most 1,000 a call; the same twice changes nothing",
    access: managers,
    limit: "importSubscribers",
    params,
    body: z.object({
      readers: z.array(importedReader).min(1).max(importBatch),
      /** They have confirmed, says who imports; else each is asked by mail. */
      declared: z.boolean().default(false),
      /** Only answer what would be. */
      trial: z.boolean().default(false),
    }),
    carriesContent: true,
    status: 200,
    response: importOutcome,
    errors: ["forbidden"],
  }),
  export: endpoint({
    method: "GET",
    path: "/api/workspaces/{workspaceId}/subscribers/export",
    summary: "All readers, or those a filter fits, as a CSV file in the order of their addresses",
    access: managers,
    limit: "export",
    params,
    query: subscriberFilter,
    download: "text/csv",
    status: 200,
    response: z.string(),
    errors: ["forbidden"],
  }),
  numbers: endpoint({
    method: "GET",
    path: "/api/workspaces/{workspaceId}/subscribers/numbers",
    summary: "How many readers get mails",
    access: roles,
    params,
    status: 200,
    response: z.object({ numbers: subscriberNumbers }),
  }),
  audience: endpoint({
    method: "GET",
    path: "/api/workspaces/{workspaceId}/subscribers/audience",
    summary: "How many readers hear of a post by mail; `tags` separated by commas, `post` its id where it has one",
    access: roles,
    params,
    query: z.object({
      tags: z
        .string()
        .max(tagsPerPost * (tagMaxLength + 1))
        .default("")
        .transform((list) => list.split(",").filter((tag) => tag !== "")),
      post: id.optional(),
    }),
    status: 200,
    response: z.object({ audience: mailAudience }),
  }),
  remove: endpoint({
    method: "DELETE",
    path: "/api/workspaces/{workspaceId}/subscribers/{subscriberId}",
    summary: "Take a reader off the list; with ?erase=true so that no import brings the address back",
    access: managers,
    params: z.object({ workspaceId: id, subscriberId: id }),
    query: z.object({ erase: z.enum(["true", "false"]).default("false") }),
    status: 200,
    response: success,
    errors: ["forbidden"],
  }),
  mailCheck: endpoint({
    method: "GET",
    path: "/api/workspaces/{workspaceId}/mail-check",
    summary: "What the DNS says of the domain that mails are sent from: SPF, DKIM and DMARC",
    access: managers,
    limit: "mailCheck",
    params,
    status: 200,
    response: mailCheck,
    errors: ["forbidden"],
  }),
  testMail: endpoint({
    method: "POST",
    path: "/api/workspaces/{workspaceId}/mail-check",
    summary: "Send a test mail to oneself",
    access: managers,
    limit: "testMail",
    params,
    status: 200,
    response: z.object({ sent: z.boolean(), to: z.string() }),
    errors: ["forbidden"],
  }),
  settings: endpoint({
    method: "GET",
    path: "/api/workspaces/{workspaceId}/mail-settings",
    summary: "How the workspace mails its readers",
    access: roles,
    params,
    status: 200,
    response: z.object({ settings: shownMailSettings }),
  }),
  saveSettings: endpoint({
    method: "PUT",
    path: "/api/workspaces/{workspaceId}/mail-settings",
    summary: "Change how the workspace mails its readers; what is not named stays",
    access: managers,
    params,
    body: mailSettings.partial(),
    status: 200,
    response: z.object({ success: z.literal(true), settings: shownMailSettings }),
    errors: ["forbidden"],
  }),
} as const;
