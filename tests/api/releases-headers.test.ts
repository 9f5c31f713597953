import { JSDOM } from "jsdom";
import { beforeAll, describe, expect, test } from "vitest";
import { newPerson, type Person } from "./support/people.ts";
import { openWorkspace, readPage, visit } from "./support/public.ts";

let owner: Person;
beforeAll(async () => {
  owner = await newPerson("Ada Lovelace");
});

describe("every public page", () => {
  test("has a strict security policy", async () => {
    const { subdomain } = await openWorkspace(owner);
    for (const path of ["/releases", "/releases/no-such"]) {
      const { headers, page } = await readPage(subdomain, path);
      const policy = headers["content-security-policy"] as string;
      expect(policy).toMatch(/^default-src 'none'; style-src 'sha256-[^']+'; img-src 'self' https:;/);
      expect(policy).toContain("frame-ancestors 'none'");
      const style = new TextEncoder().encode(page.querySelector("style")!.textContent!);
      const hash = Buffer.from(await crypto.subtle.digest("SHA-256", style)).toString("base64");
      expect(policy).toContain(`'sha256-${hash}'`);
      expect(headers["x-content-type-options"]).toBe("nosniff");
      expect(headers["referrer-policy"]).toBe("strict-origin-when-cross-origin");
    }
  });
  test("of an unknown workspace asks for its name, with status 404", async () => {
    const { status, body } = await visit(null, "/releases");
    const { document } = new JSDOM(body).window;
    expect(status).toBe(404);
    expect(document.querySelector("form")?.getAttribute("action")).toBe("/releases");
    expect(document.querySelector("input")?.getAttribute("name")).toBe("workspace");
  });
  test.each([
    "/releases?workspace=",
    "/releases?workspace=a.b",
    "/releases?workspace=%00",
    "/releases?workspace=<x>",
    `/releases?workspace=${"a".repeat(500)}`,
    "/releases/x?workspace=no-such-one",
  ])("%s is a plain 404", async (path) => {
    expect((await visit(null, path)).status).toBe(404);
  });
});
