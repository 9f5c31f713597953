import { z } from "zod";
import { endpoint } from "./endpoint.ts";
import { success } from "./fields.ts";

export const mailProviders = ["resend", "postmark", "ses"] as const;
export type MailProvider = (typeof mailProviders)[number];

export const mailEventEndpoints = {
  receive: endpoint("POST /api/mail/events/{provider}/{secret}", {
    summary: "Receive an email provider's events; `secret` is the operator's, and signatures are checked where the provider signs",
    access: "public",
    limit: "mailEvents",
    params: z.object({ provider: z.enum(mailProviders), secret: z.string().max(200) }),
    raw: true,
    response: success,
    errors: ["unauthenticated", "invalid_json", "body_too_large"],
  }),
} as const;
