import { expect, test } from "vitest";
import { mailProvider } from "./mail-provider.ts";

test.each([
  ["ada@gmail.com", "Gmail"],
  ["ada@GoogleMail.com", "Gmail"],
  ["ada@outlook.com", "Outlook"],
  ["ada@hotmail.co.uk", "Outlook"],
  ["ada@live.nl", "Outlook"],
  ["ada@yahoo.com", "Yahoo Mail"],
  ["ada@yahoo.co.jp", "Yahoo Mail"],
  ["ada@me.com", "iCloud Mail"],
  ["ada@proton.me", "Proton Mail"],
  ["ada@acme.example", undefined],
  ["ada@gmail.com.evil.example", undefined],
  ["ada@notgmail.com", undefined],
  ["gmail.com@acme.example", undefined],
  ["", undefined],
])("mailProvider of %s is %s", (email, name) => {
  expect(mailProvider(email)?.name).toBe(name);
});
