import { expect, test } from "vitest";
import { readMessage } from "./mail-message.ts";

const lines = (...all: string[]) => all.join("\r\n");

test("readMessage decodes folded headers, encoded words and quoted-printable", () => {
  const message = lines(
    "From: Tidings <hello@tidings.example>",
    "To: <ada@example.com>",
    "Subject: =?UTF-8?q?Best=C3=A4tigen_Sie?=",
    " jetzt",
    "Content-Type: text/html; charset=UTF-8",
    "Content-Transfer-Encoding: quoted-printable",
    "",
    '<a href=3D"http://localhost:3000/auth/confirm?token_=',
    'hash=3Dabc">=E2=9C=93</a>',
    "",
    "<p>the end</p>",
  );
  expect(readMessage(message)).toEqual({
    to: "ada@example.com",
    subject: "Bestätigen Sie jetzt",
    html: '<a href="http://localhost:3000/auth/confirm?token_hash=abc">✓</a>\r\n\r\n<p>the end</p>',
  });
});

test("readMessage reads an unencoded email as UTF-8", () => {
  const text = Buffer.from("To: ada@example.com\r\nSubject: Plain\r\n\r\nGrüße = x").toString("latin1");
  expect(readMessage(text)).toEqual({ to: "ada@example.com", subject: "Plain", html: "Grüße = x" });
});
