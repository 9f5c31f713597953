import type { SentEmail } from "#contract/subscribers.ts";
import { toasts } from "./toasts.ts";

/** Sends an email to the signed-in person and says what became of it. Throws ApiError. */
export async function sendToMe(title: string, send: Promise<SentEmail>): Promise<void> {
  const { sent, to } = await send;
  if (sent) toasts.success(title, `To ${to}`);
  else
    toasts.error("Couldn't send the email", "No email service is set up, or it rejected the email. Your administrator can check the log.");
}
