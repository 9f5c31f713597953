import http from "node:http";
import { once } from "node:events";
import type { AddressInfo } from "node:net";
import { expect, onTestFinished, test } from "vitest";
import { snippets } from "../../web/features/widget-settings/snippets.ts";
import { nodeNetwork } from "../../tests/support/node-network.ts";
import { checkPage, findWidget } from "./widget-check.ts";

const build = { script: { file: "/widget-0.2.0.js", integrity: "sha384-x" } };
const codes = snippets({ origin: "https://tidings.example", subdomain: "acme", build }).map(({ form, code }) => [form, code] as const);
const inHtml = codes.filter(([form]) => form === "script" || form === "integrity" || form === "headway");
const find = (html: string, subdomain = "acme") => findWidget(`<html><body>${html}</body></html>`, "tidings.example", subdomain);

test.each(inHtml)("findWidget finds the %s snippet, and names another workspace's", (_, code) => {
  expect(find(code)).toEqual({ result: "found", detail: null });
  expect(find(code, "globex")).toEqual({ result: "other_workspace", detail: "acme" });
  expect(find(`<!-- ${code} -->`)).toEqual({ result: "not_found", detail: null });
});

test("findWidget ignores other installations, and says if the workspace is missing", () => {
  expect(find('<script src="https://other.example/widget.js" data-workspace="acme"></script>').result).toBe("not_found");
  expect(find('<script src="https://tidings.example/widget.js"></script>')).toEqual({ result: "other_workspace", detail: null });
});

test("checkPage reads a page, names its errors, and refuses private addresses", async () => {
  const server = http.createServer(({ url }, answer) => answer.writeHead(url === "/" ? 200 : 404).end(inHtml[0]![1]));
  await once(server.listen(0, "127.0.0.1"), "listening");
  onTestFinished(() => void server.close());
  const origin = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
  const check = { network: nodeNetwork({}, { asked: [], connected: [] }), host: "tidings.example", subdomain: "acme" };
  expect(await checkPage(new URL(origin), { ...check, toPrivate: true })).toEqual({ result: "found", origin, detail: null });
  const missing = await checkPage(new URL(`${origin}/shop`), { ...check, toPrivate: true });
  expect(missing).toEqual({ result: "unreachable", origin, detail: "The page responded with 404" });
  expect(await checkPage(new URL("https://127.0.0.1"), { ...check, toPrivate: false })).toMatchObject({
    ...{ result: "unreachable", detail: expect.stringContaining("private network") },
  });
});
