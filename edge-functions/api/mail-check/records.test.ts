import { createSocket, type Socket } from "node:dgram";
import { Resolver } from "node:dns/promises";
import { afterEach, describe, expect, test } from "vitest";
import type { Env } from "../../_shared/env.ts";
import { checkRecords, type LookUpTexts } from "./records.ts";
import { senderDomain } from "./routes.ts";

const dns =
  (table: Record<string, string[]>): LookUpTexts =>
  (name) =>
    Promise.resolve(table[name] ?? null);

const good = {
  "news.acme.example": ["something else", "v=spf1 include:spf.mail.example ~all"],
  "key1._domainkey.news.acme.example": ["v=DKIM1; k=rsa; p=MIGf"],
  "_dmarc.news.acme.example": ["v=DMARC1; p=quarantine"],
};
const check = async (table: Record<string, string[]>, selector: string | null = "key1") =>
  Object.fromEntries((await checkRecords("news.acme.example", selector, dns(table))).map((record) => [record.kind, record]));

describe("the DNS records of a sender", () => {
  test("are found", async () => {
    const { SPF, DKIM, DMARC } = await check(good);
    expect([SPF!.state, DKIM!.state, DMARC!.state]).toEqual(["found", "found", "found"]);
    expect(SPF).toMatchObject({ name: "news.acme.example", value: "v=spf1 include:spf.mail.example ~all" });
    expect(DKIM!.name).toBe("key1._domainkey.news.acme.example");
  });

  test("are reported as missing", async () => {
    const found = await check({ "news.acme.example": ["v=spf10 is another thing"] });
    expect(Object.values(found).map(({ state, value }) => [state, value])).toEqual([
      ["missing", null],
      ["missing", null],
      ["missing", null],
    ]);
  });

  test.each([
    ["two SPF records", { "news.acme.example": ["v=spf1 -all", "v=spf1 ~all"] }, "SPF"],
    ["an SPF record for all the world", { "news.acme.example": ["v=spf1 +all"] }, "SPF"],
    ["the same without the plus", { "news.acme.example": ["v=spf1 include:x.example all"] }, "SPF"],
    ["a withdrawn key", { "key1._domainkey.news.acme.example": ["v=DKIM1; p="] }, "DKIM"],
    ["a DMARC record without a rule", { "_dmarc.news.acme.example": ["v=DMARC1; rua=mailto:a@acme.example"] }, "DMARC"],
  ])("are wrong: %s", async (_, changes, kind) => {
    expect((await check({ ...good, ...changes }))[kind]!.state).toBe("wrong");
  });

  test("use the parent domain's DMARC policy", async () => {
    const { DMARC } = await check({ "_dmarc.acme.example": ["v=DMARC1; p=reject"] });
    expect(DMARC).toMatchObject({ state: "found", name: "_dmarc.acme.example" });
  });

  test("aren't looked up for a local host", async () => {
    const records = await checkRecords("localhost", "key1", () => Promise.reject(new Error("isn't called")));
    expect(records.map(({ state, name, text }) => [state, name, text.slice(0, 27)])).toEqual(
      Array.from({ length: 3 }, () => ["unknown", null, "This isn't a public domain,"]),
    );
  });

  test("aren't looked up without a DKIM selector", async () => {
    const { DKIM, SPF } = await check(good, null);
    expect(DKIM).toMatchObject({ state: "unknown", name: null, text: expect.stringContaining("TIDINGS_MAIL_DKIM_SELECTOR") });
    expect(SPF!.state).toBe("found");
  });

  test.each<[string, LookUpTexts]>([
    ["fails", () => Promise.reject(new Error("SERVFAIL"))],
    ["never answers", () => new Promise(() => {})],
  ])("are unknown, and nothing worse, where the DNS %s", async (_, lookUp) => {
    const records = await checkRecords("acme.example", "key1", lookUp, 50);
    expect(records.map(({ state, text }) => [state, text])).toEqual(
      Array.from({ length: 3 }, () => ["unknown", "DNS lookup failed. Please try again later."]),
    );
  });
});

function answer(question: Buffer, texts: Record<string, string>): Buffer {
  const labels: string[] = [];
  let at = 12;
  for (let length = question[at]!; length > 0; length = question[at]!) {
    labels.push(question.toString("latin1", at + 1, at + 1 + length));
    at += 1 + length;
  }
  const asked = question.subarray(12, at + 5);
  const text = texts[labels.join(".")];
  const head = Buffer.from(question.subarray(0, 12));
  head.writeUInt16BE(text === undefined ? 0x8183 : 0x8180, 2);
  head.writeUInt16BE(text === undefined ? 0 : 1, 6);
  head.writeUInt16BE(0, 10);
  if (text === undefined) return Buffer.concat([head, asked]);
  const record = Buffer.alloc(12);
  record.writeUInt16BE(0xc00c, 0);
  record.writeUInt16BE(16, 2);
  record.writeUInt16BE(1, 4);
  record.writeUInt16BE(text.length + 1, 10);
  return Buffer.concat([head, asked, record, Buffer.from([text.length]), Buffer.from(text)]);
}

describe("a DNS response over UDP", () => {
  let server: Socket | undefined;
  afterEach(() => server?.close());

  test("is parsed", async () => {
    server = createSocket("udp4");
    server.on("message", (question, { port, address }) =>
      server!.send(answer(question, { "acme.example": "v=spf1 -all", "_dmarc.acme.example": "v=DMARC1; p=none" }), port, address),
    );
    await new Promise<void>((resolve) => server!.bind(0, "127.0.0.1", resolve));
    const resolver = new Resolver({ timeout: 10_000, tries: 1 });
    resolver.setServers([`127.0.0.1:${server.address().port}`]);
    const lookUp: LookUpTexts = async (name) => {
      try {
        return (await resolver.resolveTxt(name)).map((pieces) => pieces.join(""));
      } catch (error) {
        if ((error as { code?: string }).code === "ENOTFOUND") return null;
        throw error;
      }
    };
    const records = await checkRecords("acme.example", "key1", lookUp);
    expect(records.map(({ kind, state }) => [kind, state])).toEqual([
      ["SPF", "found"],
      ["DKIM", "missing"],
      ["DMARC", "found"],
    ]);
  });
});

test.each([
  ["Tidings <news@Mail.Acme.example>", "mail.acme.example"],
  ["news@acme.example", "acme.example"],
  ['"A @ B" <news@acme.example>', "acme.example"],
])("the domain of %s is %s", (from, domain) => {
  expect(senderDomain({ mail: { url: "https://mail.example", key: "", from } as Env["mail"] })).toBe(domain);
  expect(senderDomain({ mail: null })).toBeNull();
});
