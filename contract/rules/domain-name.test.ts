import { describe, expect, test } from "vitest";
import { domainSentence, readDomainName } from "./domain-name.ts";

const read = (text: string) => readDomainName(text, "tidings.example");

describe("a name of a workspace's own", () => {
  test.each([
    ["changelog.acme.example", "changelog.acme.example"],
    ["  Changelog.ACME.example ", "changelog.acme.example"],
    ["https://changelog.acme.example/releases?page=2#top", "changelog.acme.example"],
    ["changelog.acme.example.", "changelog.acme.example"],
    ["acme.example", "acme.example"],
    ["acme.co.uk", "acme.co.uk"],
    ["1.acme.example", "1.acme.example"],
    ["notmytidings.example", "notmytidings.example"],
    ["tidings.example.acme.example", "tidings.example.acme.example"],
    ["xn--mnchen-3ya.example", "xn--mnchen-3ya.example"],
  ])("is read from %s", (text, host) => {
    expect(read(text)).toEqual({ host, shown: host });
  });

  test.each([
    ["Änderungen.Müller.example", "xn--nderungen-u2a.xn--mller-kva.example", "änderungen.müller.example"],
    ["https://更新。例え.jp/", "xn--efv01a.xn--r8jz45g.jp", "更新。例え.jp"],
  ])("in the letters of other languages is kept for the DNS, and shown as it was written: %s", (text, host, shown) => {
    expect(read(text)).toEqual({ host, shown });
  });

  test.each([
    ["", domainSentence],
    ["two words.example", domainSentence],
    ["ftp://acme.example", domainSentence],
    ["javascript://acme.example", domainSentence],
    ["*.acme.example", domainSentence],
    ["a_b.acme.example", domainSentence],
    ["-a.acme.example", domainSentence],
    ["acme..example", domainSentence],
    ["acme.x", domainSentence],
    [`${"a".repeat(64)}.example`, domainSentence],
    [`${"a.".repeat(119)}example`, domainSentence],
    ["me@acme.example", /before the @/],
    ["acme.example:8443", /port/],
    ["192.0.2.7", /IP address/],
    ["0x7f.1", /IP address/],
    ["http://[2001:db8::1]/", /IP address/],
    ["tidings.example", /belong to this installation/],
    ["acme.TIDINGS.example", /belong to this installation/],
    ["a.b.tidings.example.", /belong to this installation/],
    ["localhost", /own network/],
    ["printer.local", /own network/],
    ["1.0.0.127.in-addr.arpa", /own network/],
    ["changelog", /two parts/],
    ["co.uk", /public suffix/],
    ["com.au", /public suffix/],
  ])("is refused with a sentence: %s", (text, sentence) => {
    expect(read(text)).toEqual(expect.stringMatching(sentence));
  });
});
