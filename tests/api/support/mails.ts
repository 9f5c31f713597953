import { inject } from "vitest";

export interface CaughtMail {
  to: string;
  subject: string;
  text: string;
  html: string;
  links: string[];
  headers: Record<string, string>;
}

export async function caughtMails(address: string): Promise<CaughtMail[]> {
  const mails = (await (await fetch(`${inject("stack").url}/dev/mail.json`)).json()) as CaughtMail[];
  return mails.filter(({ to }) => to === address);
}
