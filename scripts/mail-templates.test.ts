import { readFileSync } from "node:fs";
import { expect, test } from "vitest";
import { toText } from "../supabase/local/engine/mail.ts";
import { mailTemplates } from "./mail-templates.ts";

test.each(mailTemplates)("$file matches the output of `npm run mail-templates`", ({ file, html }) => {
  expect(readFileSync(file, "utf8")).toBe(html);
});

test("an email without its HTML has paragraphs and one link", () => {
  expect(toText(mailTemplates[0]!.html)).toBe(
    [
      "Tidings",
      "Confirm your email address",
      "Welcome to Tidings. Confirm your email address {{ .Email }} to activate your account.",
      "Confirm email address: {{ .SiteURL }}/auth/confirm?token_hash={{ .TokenHash }}&type=signup",
      "The link works once and for one hour. If you didn't sign up, ignore this email. No account will be created.",
    ].join("\n\n"),
  );
});

test.each(mailTemplates)("$file supports both colour schemes, loads nothing and runs nothing", ({ html }) => {
  expect(html).toContain('<meta name="color-scheme" content="light dark" />');
  expect(html).toContain("@media (prefers-color-scheme: dark)");
  expect(html).not.toMatch(/<script|<img|<link|url\(|@import|@font-face/);
});
