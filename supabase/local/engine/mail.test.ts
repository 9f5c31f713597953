import fs from "node:fs";
import os from "node:os";
import path from "node:path";
import { expect, onTestFinished, test } from "vitest";
import { MailBox, type Message, toText } from "./mail.ts";

test("a mail to an account says that a program sent it; what has headers keeps them", async () => {
  const folder = fs.mkdtempSync(path.join(os.tmpdir(), "mail-"));
  onTestFinished(() => fs.rmSync(folder, { recursive: true }));
  const delivered: Message[] = [];
  const account = { to: "ada@acme.example", subject: "Confirm your email", html: "<p>Hello</p>" };
  const caught = new MailBox(folder);
  await caught.send(account);
  await caught.send({ ...account, headers: { "Message-ID": "<1@acme.example>" } });
  await new MailBox(folder, async (message) => void delivered.push(message)).send(account);
  expect(caught.newestFirst().map(({ headers }) => headers)).toEqual([
    { "Message-ID": "<1@acme.example>" },
    { "Auto-Submitted": "auto-generated" },
  ]);
  expect(delivered[0]?.headers).toEqual({ "Auto-Submitted": "auto-generated" });
});

test("the text of a mail keeps its paragraphs and puts links behind their words", () => {
  const html = `<head><title>T</title><style>p { color: red }</style></head><body><h1>Hello &amp; welcome</h1>
    <p>Please   confirm.<br>Thanks</p><p><a href="http://localhost/auth/confirm?a=1&amp;b=2" style="x"
    >Confirm</a
    ></p></body>`;
  expect(toText(html)).toBe("Hello & welcome\n\nPlease confirm.\nThanks\n\nConfirm: http://localhost/auth/confirm?a=1&b=2");
});

test("a link whose words are its address appears once", () =>
  expect(toText(`<a href="https://a.example/">https://a.example/</a>`)).toBe("https://a.example/"));
