import { readFileSync, writeFileSync } from "node:fs";
import { mailPage, type MailWords } from "../edge-functions/_shared/mail-page.ts";

const link = (kind: string): string => `{{ .SiteURL }}/auth/confirm?token_hash={{ .TokenHash }}&type=${kind}`;

const mails: Readonly<Record<string, MailWords>> = {
  "confirmation.html": {
    title: "Confirm your email address",
    text: "Welcome to Tidings. Confirm your email address {{ .Email }} to activate your account.",
    button: "Confirm email address",
    url: link("signup"),
    note: "The link works once and for one hour. If you didn't sign up, ignore this email. No account will be created.",
  },
  "recovery.html": {
    title: "Choose a new password",
    text: "Someone, probably you, asked for a new password for {{ .Email }}.",
    button: "Choose a new password",
    url: link("recovery"),
    note: "The link works once and for one hour. If it wasn't you, ignore this email. Your password won't change.",
  },
  "email-change.html": {
    title: "Confirm your new email address",
    text: "You asked to change the address of your account from {{ .Email }} to {{ .NewEmail }}.",
    button: "Confirm the change",
    url: link("email_change"),
    note: "The link works once and for one hour. If it wasn't you, don't click it. Change your password, because someone else could know it.",
  },
};

export const mailTemplates = Object.entries(mails).map(([name, words]) => ({ file: `supabase/templates/${name}`, html: mailPage(words) }));

if (import.meta.main) {
  for (const { file, html } of mailTemplates) if (readFileSync(file, "utf8") !== html) writeFileSync(file, html);
}
