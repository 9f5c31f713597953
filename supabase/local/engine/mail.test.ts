import fs from "node:fs";
import os from "node:os";
import path from "node:path";
import { expect, onTestFinished, test } from "vitest";
import { MailBox, type Message, toText } from "./mail.ts";

test("an email to an account is marked as auto-generated; existing headers stay", async () => {
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

function newFolder(): { folder: string; file: string } {
  const folder = fs.mkdtempSync(path.join(os.tmpdir(), "mail-"));
  onTestFinished(() => fs.rmSync(folder, { recursive: true }));
  return { folder, file: path.join(folder, "mail/caught.jsonl") };
}
const subjectsOf = (box: MailBox) => box.newestFirst().map(({ subject }) => subject);
const linesIn = (file: string) => fs.readFileSync(file, "utf8").split("\n").length - 1;

test("the file keeps the last 500 to 1,000 emails", async () => {
  const { folder, file } = newFolder();
  const box = new MailBox(folder);
  for (let at = 1; at <= 1_700; at += 1) await box.send({ to: "ada@acme.example", subject: `Mail ${at}`, text: "Hello" });
  expect(linesIn(file)).toBeLessThanOrEqual(1_000);
  const again = new MailBox(folder);
  expect(subjectsOf(again)).toEqual(Array.from({ length: 500 }, (_, at) => `Mail ${1_700 - at}`));
  expect(linesIn(file)).toBe(500);
  expect(fs.statSync(file).mode & 0o777).toBe(0o600);
});

test("a file that was cut off keeps its whole emails", async () => {
  const { folder, file } = newFolder();
  await new MailBox(folder).send({ to: "ada@acme.example", subject: "First", text: "Hello" });
  const line = fs.readFileSync(file, "utf8");
  fs.appendFileSync(file, `${line.replace("First", "Second")}${line.slice(0, 20)}`);
  const box = new MailBox(folder);
  expect(subjectsOf(box)).toEqual(["Second", "First"]);
  await box.send({ to: "ada@acme.example", subject: "Third", text: "Hello" });
  expect(subjectsOf(new MailBox(folder))).toEqual(["Third", "Second", "First"]);
});

test("toText keeps paragraphs and puts URLs behind link texts", () => {
  const html = `<head><title>T</title><style>p { color: red }</style></head><body><h1>Hello &amp; welcome</h1>
    <p>Please   confirm.<br>Thanks</p><p><a href="http://localhost/auth/confirm?a=1&amp;b=2" style="x"
    >Confirm</a
    ></p></body>`;
  expect(toText(html)).toBe("Hello & welcome\n\nPlease confirm.\nThanks\n\nConfirm: http://localhost/auth/confirm?a=1&b=2");
});

test("toText writes a link whose text is its URL once", () =>
  expect(toText(`<a href="https://a.example/">https://a.example/</a>`)).toBe("https://a.example/"));
