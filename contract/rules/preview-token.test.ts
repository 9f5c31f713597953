import { createHash } from "node:crypto";
import { expect, test } from "vitest";
import { hashOfPreviewToken, isPreviewToken, makePreviewToken, previewPath } from "./preview-token.ts";

test("a token is 256 bits in URL-safe base64", () => {
  const tokens = Array.from({ length: 500 }, () => makePreviewToken());
  expect(new Set(tokens).size).toBe(500);
  for (const token of tokens) {
    expect(isPreviewToken(token)).toBe(true);
    expect(new URL(previewPath(token), "https://acme.example").pathname).toBe(`/releases/preview/${token}`);
  }
  const given = Uint8Array.from({ length: 32 }, (_, at) => 248 + (at % 8));
  expect(
    Buffer.from(
      makePreviewToken(() => given),
      "base64url",
    ),
  ).toEqual(Buffer.from(given));
});

test.each([
  "",
  "a",
  "a".repeat(42),
  "a".repeat(44),
  `${"a".repeat(42)}=`,
  `${"a".repeat(42)}.`,
  `${"a".repeat(43)}\n`,
  `${"a".repeat(42)}ä`,
])("%j isn't a token", (text) => expect(isPreviewToken(text)).toBe(false));

test("only the SHA-256 is stored", async () => {
  const token = makePreviewToken();
  expect(await hashOfPreviewToken(token)).toBe(createHash("sha256").update(token).digest("hex"));
});
