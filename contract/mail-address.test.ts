import { expect, test } from "vitest";
import { mailAddress } from "#contract/mail-address.ts";

test.each([
  ["ana@acme.example", "ana@acme.example"],
  ["  ana@acme.example\n", "ana@acme.example"],
  ["Ana+news@Acme.EXAMPLE", "Ana+news@acme.example"],
  ["o'hara.b@mail.acme.example", "o'hara.b@mail.acme.example"],
  ["ana@münchen.example", "ana@xn--mnchen-3ya.example"],
  [`${"a".repeat(64)}@acme.example`, `${"a".repeat(64)}@acme.example`],
])("%j is an address", (text, kept) => expect(mailAddress(text)).toBe(kept));

test.each([
  "",
  "ana",
  "ana@",
  "@acme.example",
  "ana@acme",
  "ana@@acme.example",
  "ana@acme.example, eve@acme.example",
  "ana@acme.example\r\nBcc: eve@acme.example",
  "Ana <ana@acme.example>",
  "ana @acme.example",
  ".ana@acme.example",
  "ana..b@acme.example",
  '"ana"@acme.example',
  "ana@-acme.example",
  "ana@[127.0.0.1]",
  "ana@127.0.0.1",
  "ana@acme.example/path",
  "ana@acme.example:25",
  "älla@acme.example",
  `${"a".repeat(65)}@acme.example`,
  `ana@${"a".repeat(63)}.${"b".repeat(63)}.${"c".repeat(63)}.${"d".repeat(63)}.example`,
  "a".repeat(400),
])("%j isn't an email address", (text) => expect(mailAddress(text)).toBeNull());
