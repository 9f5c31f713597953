import { expect, test } from "vitest";
import { oldAddress } from "./old-address.ts";

test.each([
  ["https://acme.example/news/a", "acme.example/news/a"],
  ["http://acme.example/a.invalid/b", "acme.example/a.invalid/b"],
  ["https://kite.invalid/releases/a", "/releases/a"],
])("%s is shown as %s", (url, shown) => expect(oldAddress(url)).toBe(shown));
