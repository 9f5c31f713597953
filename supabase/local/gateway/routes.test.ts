import { describe, expect, test } from "vitest";
import { hostOf, routeOf, type Host } from "./routes.ts";

/** The target in short: fn:api, service:auth, static:web … */
function targetOf(host: Host, path: string): string {
  const { target } = routeOf(host, path);
  switch (target.kind) {
    case "function":
      return `fn:${target.name}`;
    case "service":
      return `service:${target.name}`;
    case "static":
      return `static:${target.folder}`;
    case "dev":
      return `dev:${target.page}`;
    case "redirect":
      return `to ${target.to}`;
    default:
      return target.kind;
  }
}

describe("on the app's host", () => {
  test.each([
    ["/api", "fn:api"],
    ["/api/posts/1", "fn:api"],
    ["/.well-known/oauth-protected-resource", "fn:api"],
    ["/ws/presence/a/b", "fn:presence"],
    ["/releases", "fn:releases"],
    ["/releases.json", "fn:releases"],
    ["/releases/hello-world", "fn:releases"],
    ["/releases/widget.json", "fn:releases"],
    ["/widget.js", "static:widget"],
    ["/widget-Ab12.js", "static:widget"],
    ["/widget.json", "static:widget"],
    ["/auth/v1/token", "service:auth"],
    ["/rest/v1/posts", "service:rest"],
    ["/storage/v1/object/public/logos/a.png", "service:storage"],
    ["/storage/v1/object/logos/a.png", "service:storage"],
    ["/storage/v1/object/upload/sign/logos/a.png", "nothing"],
    ["/storage/v1/object/upload/%73ign/logos/a.png", "nothing"],
    ["/storage/v1/upload/resumable", "nothing"],
    ["/storage/v1/upload/resumable/sign/a", "nothing"],
    ["/realtime/v1/websocket", "service:realtime"],
    ["/functions/v1/api/api/config", "function-by-name"],
    ["/healthz", "health"],
    ["/dev/mail", "dev:mail"],
    ["/dev/mail.json", "dev:mail.json"],
    ["/dev/widget-host", "dev:widget-host"],
  ])("%s goes to %s", (path, target) => expect(targetOf("app", path)).toBe(target));

  test.each([
    "/",
    "/auth",
    "/auth/confirm",
    "/workspace/1/dashboard",
    "/apiary",
    "/assets/index-1.js",
    "/robots.txt",
    "/llms.txt",
    "/favicon.ico",
    "/healthz/x",
    "/dev/mailbox",
  ])("%s is a page of the web app", (path) => expect(targetOf("app", path)).toBe("static:web"));
});

describe("on a workspace's host there are only public surfaces", () => {
  test.each([
    ["/", "to /releases"],
    ["/releases", "fn:releases"],
    ["/releases/hello-world", "fn:releases"],
    ["/sitemap.xml", "fn:releases"],
    ["/robots.txt", "fn:releases"],
    ["/llms.txt", "fn:releases"],
    ["/releases.md", "fn:releases"],
    ["/favicon.ico", "fn:releases"],
    ["/widget.js", "static:widget"],
    ["/storage/v1/object/public/post-images/a.png", "service:storage"],
  ])("%s goes to %s", (path, target) => expect(targetOf("workspace", path)).toBe(target));

  test.each([
    "/api/config",
    "/auth",
    "/auth/v1/token",
    "/rest/v1/posts",
    "/storage/v1/object/logos/a.png",
    "/realtime/v1/websocket",
    "/functions/v1/api",
    "/healthz",
    "/dev/mail",
    "/ws/presence/a/b",
    "/index.html",
    "/.well-known/oauth-authorization-server",
    "/changelog/2019/05/faster-search",
  ])("%s goes to the function, which redirects old URLs", (path) => expect(targetOf("workspace", path)).toBe("fn:releases"));
});

describe("the Host header", () => {
  test.each(["localhost", "localhost:3000", "127.0.0.1:3000", "192.0.2.2:3000", "[2001:db8::2]:3000", "LOCALHOST:3000"])(
    "%s is the app",
    (host) => expect(hostOf(host)).toEqual({ host: "app" }),
  );
  test("the listening name is the app, other such names aren't", () => {
    expect(hostOf("stack.internal:3000", "tidings.example", "stack.internal")).toEqual({ host: "app" });
    expect(hostOf("other.internal:3000", "tidings.example", "stack.internal")).toEqual({ host: "unknown", name: "other.internal" });
  });
  test("a label before localhost is a workspace", () =>
    expect(hostOf("Acme.localhost:3000")).toEqual({ host: "workspace", subdomain: "acme" }));
  test.each(["changelog.acme.example", "localhost.evil.example", "1.2.3.4.evil.example", "xn--bcher-kva.example"])(
    "%s can be a custom domain",
    (name) => expect(hostOf(`${name.toUpperCase()}:3000`)).toEqual({ host: "unknown", name }),
  );
  test.each([
    null,
    "",
    "a.b.localhost",
    "a.b.tidings.example",
    "stack",
    "acme.127.0.0.1",
    "a_b.example",
    "-a.example",
    "a..example",
    "example.",
  ])("%s is rejected", (host) => expect(hostOf(host, host?.endsWith("tidings.example") ? "tidings.example" : undefined)).toBeNull());
  test("a name over the DNS limit is rejected", () => {
    expect(hostOf(`${"a.".repeat(126)}example`)).toBeNull();
    expect(hostOf(`${"a".repeat(64)}.example`)).toBeNull();
  });
});
