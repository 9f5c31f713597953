import { z } from "zod";
import { endpoint } from "./endpoint.ts";
import { id, success, time } from "./fields.ts";
import { roles } from "./kinds.ts";
import { tagMaxLength, tagsPerPost } from "./limits.ts";
import { mailAddress } from "./mail-address.ts";
import { frequencies, subscriberStatuses } from "./subscriptions.ts";

const params = z.object({ workspaceId: id });

/** A reader who asked to be told, as owners and admins see him. `tags` null: everything. */
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

/** How many there are; the rhythms are those of active ones. `weeks`: how many were confirmed in each of the last twelve, the present one last. */
export const subscriberNumbers = z.object({
  ...{ active: count, pending: count, paused: count, left: count, suppressed: count },
  ...{ instant: count, daily: count, weekly: count },
  weeks: z.array(count),
});
export type SubscriberNumbers = z.infer<typeof subscriberNumbers>;

/** How a workspace mails its readers. `undo_minutes`: how long a publication can be taken back before anybody hears of it. */
export const mailSettings = z.object({
  enabled: z.boolean(),
  undo_minutes: z
    .int({ error: "Please choose 0 to 60 minutes" })
    .min(0, { error: "Please choose 0 to 60 minutes" })
    .max(60, { error: "Please choose 0 to 60 minutes" }),
  sender_name: z.string().trim().max(80, { error: "Please use at most 80 characters" }).nullable(),
  reply_to: z
    .string()
    .trim()
    .refine((text) => mailAddress(text) !== null, { error: "Please enter a valid email address" })
    .nullable(),
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
  ...{ enabled: false, undo_minutes: 5, sender_name: null, reply_to: null },
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

export const subscriberEndpoints = {
  list: endpoint({
    method: "GET",
    path: "/api/workspaces/{workspaceId}/subscribers",
    summary: "Readers who get mails, newest first; `q` is a part of an address",
    access: ["owner", "admin"],
    params,
    query: z.object({
      page: z.coerce.number().int().min(1).max(100_000).default(1),
      status: z.enum(["all", ...subscriberStatuses]).default("all"),
      q: z.string().trim().max(254).optional(),
    }),
    status: 200,
    response: z.object({
      subscribers: z.array(subscriber),
      pagination: z.object({ page: z.int(), pages: z.int(), total: z.int() }),
    }),
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
    access: ["owner", "admin"],
    params: z.object({ workspaceId: id, subscriberId: id }),
    query: z.object({ erase: z.enum(["true", "false"]).default("false") }),
    status: 200,
    response: success,
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
    access: ["owner", "admin"],
    params,
    body: mailSettings.partial(),
    status: 200,
    response: z.object({ success: z.literal(true), settings: shownMailSettings }),
    errors: ["forbidden"],
  }),
} as const;
