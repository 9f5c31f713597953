// @vitest-environment node
import { describe, expect, test } from "vitest";
import { xssPayloads } from "../tests/support/xss-payloads.ts";
import type { TidingsApi } from "./install.ts";
import { data, openPage, post, type Server } from "../tests/support/widget/host-page.ts";
import { button, server, snippet } from "../tests/support/widget/product-server.ts";

const older = "2026-01-01T00:00:00.000Z";

describe("the page is never harmed", () => {
  const nonsense: Record<string, Server["answer"]> = {
    "the workspace is not public": (_request, response) =>
      void response.writeHead(404, { "content-type": "application/json" }).end('{"error":"x"}'),
    "the server fails": (_request, response) => void response.writeHead(500).end("oops"),
    "the connection breaks": (request) => void request.socket.destroy(),
    "the answer is a page": "<!doctype html><p>Login</p>",
    "the answer is null": "null",
    "the answer is empty": "{}",
    "the answer is a list": "[]",
    "posts are none": JSON.stringify({ ...data(), posts: "many" }),
    "a group of settings is missing": JSON.stringify({ ...data(), settings: { appearance: {} } }),
    "the address is a script": JSON.stringify({ ...data(), workspace: { name: "x", url: "javascript:alert(1)" } }),
    "the server hangs": () => {},
  };
  test.each(Object.entries(nonsense))("when %s", async (_name, answer) => {
    server.answer = answer;
    const page = openPage(snippet());
    expect(await page.noWidget()).toBeNull();
    expect(page.errors).toEqual([]);
  });
  test("when the browser lacks features", async () => {
    const refuse = function (): void {
      throw new TypeError("Illegal constructor");
    };
    const page = openPage(snippet(), { prepare: (window) => void Object.assign(window, { CSSStyleSheet: refuse }) });
    expect(await page.noWidget()).toBeNull();
    expect(page.errors).toEqual([]);
  });
  test("when it defines its own Tidings", async () => {
    const page = openPage(`<script>window.Tidings = "ours"</script>${snippet()}`);
    await page.noWidget();
    expect(page.window.Tidings).toBe("ours");
    expect(page.errors).toEqual([]);
  });
  test.each(['<div id="Tidings">ours</div>', '<img name="Tidings"><form name="Tidings"></form>', '<iframe name="Tidings"></iframe>'])(
    "by a name that %s already has, nor is the widget",
    async (markup) => {
      const page = openPage(`${markup}${snippet()}`);
      await page.widget();
      expect((page.window.Tidings as TidingsApi).widgets.size).toBe(1);
      expect(page.document.body.innerHTML).toContain(markup);
      expect(page.errors).toEqual([]);
    },
  );
  test("when its prototypes are polluted", async () => {
    const page = openPage(
      `<script>Object.prototype.class = "x"; Array.prototype.remove = function () {}; Object.prototype.hidden = true;</script>${snippet()}`,
    );
    const root = await page.widget();
    button(root).click();
    expect(root.querySelectorAll(".post")).toHaveLength(1);
    expect(page.errors).toEqual([]);
  });
  test("by posts with script URLs", async () => {
    server.answer = data({ posts: [post({ url: "javascript:alert(1)" }), post({ image: { url: "javascript:alert(1)", alt: "" } })] });
    const root = await openPage(snippet()).widget();
    button(root).click();
    expect(root.querySelectorAll(".post")).toHaveLength(1);
    expect(root.querySelector("img")).toBeNull();
  });
  test("by text that looks like markup", async () => {
    server.answer = data({
      workspace: { name: xssPayloads[0]!, url: "https://acme.example/", mails: false },
      posts: xssPayloads.map((text) => post({ title: text, excerpt: text, author_name: text, published_at: older })),
    });
    const page = openPage(snippet());
    const root = await page.widget();
    button(root).click();
    const tags = new Set([...root.querySelectorAll("*")].map(({ tagName }) => tagName.toLowerCase()));
    expect([...tags].sort()).toEqual(["a", "button", "div", "h2", "h3", "li", "p", "path", "span", "svg", "time", "ul"]);
    expect([...root.querySelectorAll(".post h3")].map(({ textContent }) => textContent)).toEqual(xssPayloads);
    expect(page.errors).toEqual([]);
  });
  test("by styles: everything is in an adopted sheet with `all: initial`", async () => {
    const page = openPage(snippet());
    const root = await page.widget();
    button(root).click();
    expect(root.querySelectorAll("style, link, [style]")).toHaveLength(0);
    expect(page.document.querySelectorAll("style, [rel=stylesheet], [style], tidings-widget[class]")).toHaveLength(0);
    const { text } = (root.adoptedStyleSheets as unknown as { text: string }[])[0]!;
    expect(text).toMatch(/:host\{[^}]*all:\s?initial\s?!important/);
    expect(text).toMatch(/\.root\{[^}]*all:\s?initial/);
    expect(text).not.toMatch(/\drem/);
  });
});
