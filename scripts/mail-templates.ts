import { readFileSync, writeFileSync } from "node:fs";
import { mailPage, type MailWords } from "../edge-functions/_shared/mail-page.ts";

/** Filled in by the auth service; `kind` is what the link is for. */
const link = (kind: string): string => `{{ .SiteURL }}/auth/confirm?token_hash={{ .TokenHash }}&type=${kind}`;

/** The mails of the auth service, by their file in supabase/templates. */
const mails: Readonly<Record<string, MailWords>> = {
  "confirmation.html": {
    title: "Confirm your email address",
    text: "Welcome to Tidings. Confirm that {{ .Email }} is yours, and your account is ready.",
    button: "Confirm email address",
    url: link("signup"),
    note: "The link works once and for one hour. If you did not sign up, you can ignore this mail: without the confirmation there is no account.",
  },
  "recovery.html": {
    title: "Choose a new password",
    text: "Somebody, hopefully you, asked for a new password for {{ .Email }}.",
    button: "Choose a new password",
    url: link("recovery"),
    note: "The link works once and for one hour. If it was not you, you can ignore this mail: your password stays as it is.",
  },
  "email-change.html": {
    title: "Confirm your new email address",
    text: "You asked to change the address of your account from {{ .Email }} to {{ .NewEmail }}.",
    button: "Confirm the change",
    url: link("email_change"),
    note: "The link works once and for one hour. If it was not you, do not click it, and change your password: somebody else may know it.",
  },
};

export const mailTemplates = Object.entries(mails).map(([name, words]) => ({ file: `supabase/templates/${name}`, html: mailPage(words) }));

/** `npm run mail-templates`: writes what has changed. */
if (import.meta.main) {
  for (const { file, html } of mailTemplates) if (readFileSync(file, "utf8") !== html) writeFileSync(file, html);
}
