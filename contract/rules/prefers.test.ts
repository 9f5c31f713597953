import { expect, test } from "vitest";
import { prefers } from "./prefers.ts";

const markdown = (accept: string | null): boolean => prefers(accept, "text/markdown", "text/html");

test.each([
  "text/markdown",
  "TEXT/Markdown",
  "text/markdown; charset=utf-8",
  "text/markdown;variant=CommonMark;q=0.2",
  "text/markdown, */*;q=0.8",
  "text/markdown, */*",
  "text/markdown, text/html, */*",
  "text/markdown;q=1.0, text/x-markdown;q=0.9, text/plain;q=0.8, text/html;q=0.7, */*;q=0.1",
  "text/html;q=0, */*, text/markdown;q=0.001",
  "text/markdown;q=0.4, text/*;q=0.3, */*", // the more specific range wins
  "text/markdown;q=0.1,text/markdown;q=0.9,text/html;q=0.5",
])("%s asks for Markdown", (accept) => {
  expect(markdown(accept)).toBe(true);
});

test.each([
  null,
  "",
  "*/*",
  "text/*",
  "text/html",
  "text/html,application/xhtml+xml,application/xml;q=0.9,image/avif,image/webp,image/apng,*/*;q=0.8",
  "text/html,application/xhtml+xml,application/xml;q=0.9,*/*;q=0.8",
  "text/html, text/markdown;q=0.9",
  "text/markdown;q=0",
  "text/markdown;q=0.000, text/plain",
  "text/markdown;q=0.5, */*",
  "text/markdown;q=0.5, text/*;q=0.6",
  "text/markdown;q=",
  "text/markdown;q=x",
  "text/markdown;q=-1",
  "text/markdown;q=2",
  "text/markdownish",
  "application/text/markdown",
  ",;,;=,q=1;text/markdown",
])("%s does not", (accept) => {
  expect(markdown(accept)).toBe(false);
});

test("JSON is the default elsewhere", () => {
  expect(prefers("text/markdown", "text/markdown", "application/json")).toBe(true);
  expect(prefers("text/markdown, text/html;q=0.9, application/json", "text/markdown", "application/json")).toBe(true);
  expect(prefers("application/json, text/markdown;q=0.9", "text/markdown", "application/json")).toBe(false);
  expect(prefers("application/*, text/markdown;q=0.9", "text/markdown", "application/json")).toBe(false);
});

test("a header of only commas is parsed in linear time", () => {
  expect(markdown(`${",".repeat(100_000)}text/markdown`)).toBe(true);
});
