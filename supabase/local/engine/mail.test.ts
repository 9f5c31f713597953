import { expect, test } from "vitest";
import { toText } from "./mail.ts";

test("the text of a mail keeps its paragraphs and puts links behind their words", () => {
  const html = `<head><title>T</title><style>p { color: red }</style></head><body><h1>Hello &amp; welcome</h1>
    <p>Please   confirm.<br>Thanks</p><p><a href="http://localhost/auth/confirm?a=1&amp;b=2" style="x"
    >Confirm</a
    ></p></body>`;
  expect(toText(html)).toBe("Hello & welcome\n\nPlease confirm.\nThanks\n\nConfirm: http://localhost/auth/confirm?a=1&b=2");
});

test("a link whose words are its address appears once", () =>
  expect(toText(`<a href="https://a.example/">https://a.example/</a>`)).toBe("https://a.example/"));
