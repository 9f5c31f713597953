import { expect, test } from "vitest";
import { importEndpoints } from "#contract/imports.ts";
import { importName, nameOfAddress } from "./import-name.ts";

const takes = (name: string) => importEndpoints.begin.body!.shape.name.safeParse(name).success;

test.each(["x".repeat(201), "word ".repeat(60), "😀".repeat(250)])("importName shortens a long name: %s", (name) => {
  expect(takes(name)).toBe(false);
  expect(takes(importName(name))).toBe(true);
  expect(importName(name).length).toBeGreaterThan(150);
  expect(importName(name)).toMatch(/[^\ud800-\udbff]…$/);
});

test("one that fits stays as it is", () => {
  expect(importName("Acme news")).toBe("Acme news");
  expect(importName("x".repeat(199))).toBe("x".repeat(199));
});

test.each([
  ["https://acme.example/feed.xml?token=secret", "acme.example/feed.xml"],
  ["https://acme.example/?key=secret#top", "acme.example"],
  ["https://ada:secret@acme.example/feed", "acme.example/feed"],
  ["feed://acme.example/rss", "acme.example/rss"],
  ["acme.example/feed?token=secret", "acme.example/feed"],
  ["ada:secret@acme.example", "acme.example"],
  ["https://acme.example/@ada/feed", "acme.example/@ada/feed"],
  ["localhost:8080/feed#secret", "localhost:8080/feed"],
  [" acme/widgets ", "acme/widgets"],
  ["?token=secret", ""],
])("%s is called %s", (address, name) => {
  expect(nameOfAddress(address)).toBe(name);
});
