import { createServer, type AddressInfo, type Socket } from "node:net";
import { afterEach, describe, expect, test } from "vitest";
import { type SmtpFate, type SmtpSink, startSmtpSink } from "../../../tests/support/smtp-sink.ts";
import { handOver, type Message } from "../mail.ts";
import { smtpOptions } from "#contract/mail-transports.ts";
import { refusalOf } from "./smtp.ts";

const sinks: SmtpSink[] = [];
const sink = async (...given: Parameters<typeof startSmtpSink>) => {
  sinks.push(await startSmtpSink(...given));
  return sinks.at(-1)!;
};
afterEach(async () => {
  await Promise.all(sinks.splice(0).map((one) => one.stop()));
});

const message: Message = {
  to: "ana@reader.example",
  from: '"Šárka & Söhne, GmbH via Tidings" <news@tidings.example>',
  replyTo: "hello@acme.example",
  subject: "Suche: jetzt 10× schneller 🚀, auch auf Telefonen und überall dort, wo die Leitung langsam ist",
  text: "Grüße\n.\nEine Zeile mit einem Punkt",
  html: `<p>Grüße</p>${"ä".repeat(3_000)}`,
  key: "0b9c1f0e-1111-4222-8333-444455556666",
  headers: {
    "Message-ID": "<0b9c1f0e-1111-4222-8333-444455556666@tidings.example>",
    "Auto-Submitted": "auto-generated",
    "List-Unsubscribe": `<https://acme.tidings.example/releases/subscription/${"A".repeat(48)}>`,
    "List-Unsubscribe-Post": "List-Unsubscribe=One-Click",
    "List-Id": "<changelog.acme.tidings.example>",
    Precedence: "bulk",
    "Feedback-ID": "post:acme:tidings",
  },
};
const send = ({ port }: { port: number }, changed: Partial<Message> = {}, host = "127.0.0.1") =>
  handOver({ transport: "smtp", url: `smtp://${host}:${port}`, from: "Tidings <no-reply@tidings.example>" }, { ...message, ...changed });

describe("a mail by SMTP", () => {
  test("keeps every header of RFC 8058, 2369, 2919 and 3834, whatever characters sender and subject have", async () => {
    const server = await sink();
    const handed = await send(server);
    expect(handed).toMatchObject({ outcome: "done", status: 250 });
    const [got] = server.mails;
    expect(got).toMatchObject({ from: "news@tidings.example", to: ["ana@reader.example"] });
    expect(got!.mail.from).toMatchObject({ name: "Šárka & Söhne, GmbH via Tidings", address: "news@tidings.example" });
    expect(got!.mail.subject).toBe(message.subject);
    expect(got!.mail.replyTo?.[0]).toMatchObject({ address: "hello@acme.example" });
    for (const [name, value] of Object.entries(message.headers!)) expect(got!.header(name.toLowerCase())).toBe(value);
    expect(got!.mail.text!.trim().replaceAll("\r\n", "\n")).toBe(message.text);
    expect(got!.mail.html!.trim()).toBe(message.html);
    expect(got!.raw).toMatch(/^[\x00-\x7f]*$/);
    expect(Math.max(...got!.raw.split("\r\n").map((line) => line.length))).toBeLessThan(999);
    expect(got!.header("date")).toBeDefined();
  });

  test("uses the installation's sender by default", async () => {
    const server = await sink();
    await send(server, { from: undefined, headers: undefined });
    expect(server.mails[0]!.mail.from).toMatchObject({ name: "Tidings", address: "no-reply@tidings.example" });
  });

  test("reuses a few connections for a hundred emails", async () => {
    let connections = 0;
    const server = await sink(() => null, { onConnect: (_, done) => (connections++, done()) });
    const handed = await Promise.all(Array.from({ length: 100 }, (_, at) => send(server, { to: `reader-${at}@reader.example` })));
    expect(handed.every(({ outcome }) => outcome === "done")).toBe(true);
    expect(new Set(server.mails.map(({ to }) => to[0])).size).toBe(100);
    expect(connections).toBeLessThanOrEqual(5);
  });

  test("signs in with the URL's user and password, whatever characters they have", async () => {
    const server = await sink(() => null, { authOptional: false, allowInsecureAuth: true });
    const url = `smtp://${encodeURIComponent("ops@tidings.example")}:${encodeURIComponent("p@ss:w/rd%")}@127.0.0.1:${server.port}`;
    expect((await handOver({ transport: "smtp", url, from: "a@b.example" }, message)).outcome).toBe("done");
    expect(server.mails[0]!.user).toBe("ops@tidings.example");
  });
});

describe("what a server answers", () => {
  const fates: [string, SmtpFate, object][] = [
    ["550 at RCPT", { code: 550, says: "No such user here" }, { outcome: "failed", status: 550, bounce: "hard" }],
    ["550 5.1.1 at RCPT", { code: 550, says: "5.1.1 user unknown" }, { outcome: "failed", status: 550, bounce: "hard" }],
    ["551 at RCPT", { code: 551, says: "User has moved" }, { outcome: "failed", status: 551, bounce: "hard" }],
    ["552 5.2.2 at RCPT", { code: 552, says: "5.2.2 Mailbox full" }, { outcome: "failed", status: 552, bounce: "soft" }],
    ["554 at DATA", { code: 554, says: "Message rejected", at: "data" }, { outcome: "failed", status: 554 }],
    ["451 at RCPT", { code: 451, says: "Greylisted, try again later" }, { outcome: "again", status: 451 }],
    ["452 at DATA", { code: 452, says: "Too many mails", at: "data" }, { outcome: "again", status: 452 }],
  ];
  test.each(fates)("%s", async (_, fate, expected) => {
    const { bounce, ...handed } = await send(await sink(() => fate));
    expect({ ...handed, ...(bounce && { bounce }) }).toMatchObject(expected);
    expect(bounce).toBe((expected as { bounce?: string }).bounce);
  });

  test("a rejection of us isn't counted as a bounce", async () => {
    for (const says of ["5.7.1 Relay access denied", "relay not permitted", "5.7.26 unauthenticated mail", "Blocked: spam reputation"]) {
      const handed = await send(await sink(() => ({ code: 550, says })));
      expect(handed).toMatchObject({ outcome: "failed", status: 550 });
      expect(handed.bounce).toBeUndefined();
    }
  });

  test("a wrong password or sender is retried, as the operator can fix it", () => {
    for (const command of ["AUTH PLAIN", "MAIL FROM"])
      expect(refusalOf({ command, responseCode: 535, response: "535 5.7.8 no" })).toMatchObject({ outcome: "again", status: 535 });
  });

  test("a response is stored without addresses and invalid characters", async () => {
    const { error } = await send(await sink(() => ({ code: 550, says: "<ana@reader.example>: unknown \u0001 user" })));
    expect(error).toMatch(/^550 <?\[address\]/);
    expect(error).not.toMatch(/ana@|\p{Cc}/u);
  });
});

describe("a connection", () => {
  test("a connection lost after the content is retried with the same Message-ID", async () => {
    const server = await sink((_, times) => (times === 1 ? "drop" : null));
    const first = await send(server);
    expect(first).toMatchObject({ outcome: "again" });
    expect(first.status).toBeUndefined();
    expect(server.mails).toHaveLength(1);
    expect((await send(server)).outcome).toBe("done");
    expect(server.mails.map(({ mail }) => mail.messageId)).toEqual(Array(2).fill(message.headers!["Message-ID"]));
  });

  test("an unreachable or silent server is retried", async () => {
    const closed = await startSmtpSink();
    await closed.stop();
    expect(await send({ port: closed.port })).toMatchObject({ outcome: "again" });
    const sockets: Socket[] = [];
    const silent = createServer((socket) => void sockets.push(socket.on("error", () => {})));
    await new Promise<void>((resolve) => silent.listen(0, "127.0.0.1", resolve));
    const began = Date.now();
    expect(await send(silent.address() as AddressInfo)).toMatchObject({ outcome: "again" });
    expect(Date.now() - began).toBeLessThan(15_000);
    for (const socket of sockets) socket.destroy();
    silent.close();
  });

  test("without STARTTLS nothing is sent unencrypted, except to this machine", async () => {
    const server = await sink();
    expect(await send(server, {}, "0.0.0.0")).toMatchObject({ outcome: "again" });
    expect([server.asked, server.mails]).toEqual([[], []]);
    expect((await send(server, {}, "localhost")).outcome).toBe("done");
  });

  test("an untrusted certificate prevents sending", async () => {
    const server = await sink(() => null, { disabledCommands: [] });
    expect(await send(server, {}, "0.0.0.0")).toMatchObject({ outcome: "again" });
    const secure = await sink(() => null, { secure: true });
    const url = `smtps://127.0.0.1:${secure.port}`;
    expect(await handOver({ transport: "smtp", url, from: "a@b.example" }, message)).toMatchObject({ outcome: "again" });
    expect([...server.asked, ...secure.asked]).toEqual([]);
  });

  test.each([
    ["smtps://u:p@mail.example", { port: 465, secure: true, requireTLS: false, ignoreTLS: false }],
    ["smtp://u:p@mail.example", { port: 587, secure: false, requireTLS: true, ignoreTLS: false }],
    ["smtp://mail.example:2525", { port: 2525, secure: false, requireTLS: true, ignoreTLS: false }],
    ["smtp://localhost:25", { port: 25, secure: false, requireTLS: false, ignoreTLS: true }],
    ["smtp://[::1]:25", { host: "::1", requireTLS: false, ignoreTLS: true }],
    ["smtp://127.0.0.1.evil.example", { requireTLS: true, ignoreTLS: false }],
    ["smtp://localhost.evil.example", { requireTLS: true, ignoreTLS: false }],
  ])("%s", (url, expected) => expect(smtpOptions(url)).toMatchObject(expected));
});

describe("a hostile workspace", () => {
  const evil = 'x"\r\nBcc: victim@other.example\r\n\r\n<script>';
  test("can't inject headers by line breaks", async () => {
    const server = await sink();
    const attempts: Partial<Message>[] = [
      { from: `"${evil}" <news@tidings.example>` },
      { replyTo: "a@b.example\r\nBcc: victim@other.example" },
      { to: "ana@reader.example\nBcc: victim@other.example" },
      { headers: { "X-Evil": evil } },
      { headers: { "X-Evil\r\nBcc": "victim@other.example" } },
    ];
    for (const changed of attempts) expect(await send(server, changed)).toMatchObject({ outcome: "failed" });
    expect(server.asked).toEqual([]);
    expect((await send(server, { subject: `News${evil}` })).outcome).toBe("done");
    expect(server.mails[0]!.mail.subject).toBe('Newsx" Bcc: victim@other.example <script>');
    expect([server.asked, server.mails[0]!.mail.bcc ?? []]).toEqual([["ana@reader.example"], []]);
  });

  test("can't add recipients by commas, groups or second addresses", async () => {
    const server = await sink();
    for (const to of ["ana@reader.example, victim@other.example", "all: victim@other.example;", "<a@b.example> <victim@other.example>"])
      expect(await send(server, { to, replyTo: undefined })).toMatchObject({ outcome: "failed" });
    expect(await send(server, { replyTo: "a@b.example, victim@other.example" })).toMatchObject({ outcome: "failed" });
    expect(server.asked).toEqual([]);
    expect(await send(server, { from: '"Bank <ceo@bank.example>, x" <news@tidings.example>' })).toMatchObject({ outcome: "failed" });
    expect(await send(server, { from: '"ceo@bank.example, x: y;" <news@tidings.example>' })).toMatchObject({ outcome: "done" });
    expect(server.mails[0]).toMatchObject({ from: "news@tidings.example", mail: { from: { address: "news@tidings.example" } } });
  });

  test("can't include local files or URLs", async () => {
    const server = await sink();
    await send(server, { html: { path: "/etc/passwd" } as unknown as string, text: { path: "/etc/passwd" } as unknown as string });
    expect(server.mails.filter(({ raw }) => raw.includes("root:") || raw.includes(Buffer.from("root:x").toString("base64")))).toEqual([]);
  });
});
