import type { MailBox, Message } from "../engine/mail.ts";
import type { LimitedBody } from "./body-limit.ts";
import { refuse } from "./refuse.ts";

export function createMailIntake(mail: MailBox, key: string) {
  return async (request: Request, body: LimitedBody): Promise<Response> => {
    if (request.headers.get("authorization") !== `Bearer ${key}`) return refuse("unauthenticated");
    const { to, subject, text, html, from, reply_to, headers } = (await new Response(body.stream).json()) as Message;
    if (!to || !subject) return refuse("validation_failed");
    const sameTry = request.headers.get("idempotency-key") ?? undefined;
    await mail.send({ to, subject, text, html, from, reply_to, headers }, sameTry);
    return Response.json({ id: crypto.randomUUID() });
  };
}
