import { z } from "zod";
import { endpoint } from "../endpoint.ts";
import { success } from "../fields.ts";
import { newSubscriber, subscriber, subscriberFilter } from "../subscribers.ts";
import { idParams, nextCursor, piece } from "./fields.ts";

export const v1SubscriberEndpoints = {
  list: endpoint({
    method: "GET",
    path: "/api/v1/subscribers",
    summary: "Readers who get mails, in the order of their addresses; q is a part of an address, tag one that they chose",
    access: { scope: "subscribers:read" },
    query: z.strictObject({ ...subscriberFilter.shape, ...piece }),
    status: 200,
    response: z.object({ subscribers: z.array(subscriber), next_cursor: nextCursor }),
    errors: ["forbidden"],
  }),
  add: endpoint({
    method: "POST",
    path: "/api/v1/subscribers",
    summary: "Ask a reader by mail; one who is there already stays as he is, one who never confirmed is asked again",
    access: { scope: "subscribers:write" },
    limit: "addSubscriber",
    body: z.strictObject(newSubscriber.shape),
    example: { email: "reader@example.com", frequency: "weekly", tags: ["feature"] },
    status: 201,
    response: z.object({ added: z.boolean(), subscriber }),
    errors: ["forbidden"],
  }),
  remove: endpoint({
    method: "DELETE",
    path: "/api/v1/subscribers/{id}",
    summary: "Take a reader off the list; with ?erase=true so that no import brings the address back",
    access: { scope: "subscribers:write" },
    params: idParams,
    query: z.strictObject({ erase: z.enum(["true", "false"], { error: "Please use true or false" }).default("false") }),
    status: 200,
    response: success,
    errors: ["forbidden"],
  }),
} as const;
