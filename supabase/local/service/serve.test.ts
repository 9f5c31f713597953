import { describe, expect, test } from "vitest";
import { readForwarded } from "../gateway/forwarded.ts";
import { hostOf } from "../gateway/routes.ts";
import { FrontDoor, readFrontDoor } from "./front-door.ts";
import { readService, serviceEnvironment } from "./serve.ts";

const serve = (...options: string[]) => readService(serviceEnvironment(options, {}));
const address = ["--public-url", "https://tidings.example"];

describe("npm run serve", () => {
  test("listens on this machine only and trusts the front door beside it", () => {
    expect(serve(...address)).toEqual({
      host: "127.0.0.1",
      publicUrl: "https://tidings.example",
      frontDoor: ["127.0.0.1"],
      trustedProxies: 1,
    });
  });

  test("shows no demo in any environment", () => {
    expect(serviceEnvironment(address, { TIDINGS_SEED: "demo" }).TIDINGS_SEED).toBe("none");
  });

  test("listens beyond this machine only with a front door or an explicit option", () => {
    expect(() => serve(...address, "--host", "0.0.0.0")).toThrow(/nothing here speaks https/);
    expect(serve(...address, "--host", "0.0.0.0", "--front-door", "10.0.0.2")?.frontDoor).toEqual(["10.0.0.2"]);
    expect(() => serve(...address, "--host", "0.0.0.0", "--front-door", "127.0.0.1, ::1")).toThrow(/nothing here speaks https/);
    expect(serve(...address, "--host", "0.0.0.0", "--insecure-http")?.host).toBe("0.0.0.0");
  });

  test("without https it needs TIDINGS_INSECURE_HTTP, and then trusts no proxy", () => {
    expect(() => serve("--public-url", "http://intranet")).toThrow(/passwords aren't encrypted/);
    expect(serve("--public-url", "http://intranet:3000", "--host", "0.0.0.0", "--insecure-http")).toEqual({
      host: "0.0.0.0",
      publicUrl: "http://intranet:3000",
      frontDoor: null,
      trustedProxies: 1,
    });
  });

  test("requires the number of proxies to be a positive integer", () => {
    const behind = (proxies: string) => readService(serviceEnvironment(address, { TIDINGS_TRUSTED_PROXIES: proxies }))?.trustedProxies;
    expect([behind(""), behind("2")]).toEqual([1, 2]);
    for (const proxies of ["0", "-1", "two", "1.5"])
      expect(() => behind(proxies)).toThrow(/^TIDINGS_TRUSTED_PROXIES must be a number from 1 to 9/);
  });

  test.each(["", "tidings.example", "https://tidings.example/app", "ftp://tidings.example"])("rejects the URL %j", (url) =>
    expect(() => serve("--public-url", url)).toThrow(/^TIDINGS_PUBLIC_URL must be the address that people open/),
  );

  test("lists its options for an unknown one", () => {
    expect(() => serve("--prot", "80")).toThrow(/takes --host, --public-url, --front-door and --insecure-http\.$/);
  });

  test("doesn't apply to npm start", () =>
    expect(readService({ HOST: "0.0.0.0", TIDINGS_PUBLIC_URL: "https://tidings.example" })).toBeNull());
});

describe("the names of a service", () => {
  test.each([
    ["tidings.example", { host: "app" }],
    ["127.0.0.1:3000", { host: "app" }],
    ["acme.tidings.example", { host: "workspace", subdomain: "acme" }],
    ["acme.localhost", { host: "unknown", name: "acme.localhost" }],
    ["a.b.tidings.example", null],
    ["eviltidings.example", { host: "unknown", name: "eviltidings.example" }],
  ])("%s", (header, host) => expect(hostOf(header, "tidings.example")).toEqual(host));
});

describe("what a request says of itself", () => {
  const headers = new Headers({
    host: "127.0.0.1:3000",
    "x-forwarded-host": "acme.tidings.example",
    "x-forwarded-for": "6.6.6.6, 203.0.113.9",
    "x-forwarded-proto": "https",
    "x-request-id": "0123456789",
  });

  test.each(["10.0.0.2", "::ffff:10.0.0.2"])("is believed from the front door (%s)", (peer) => {
    expect(readForwarded(headers, peer, new FrontDoor(["10.0.0.2"]).trusts)).toEqual({
      host: "acme.tidings.example",
      clientAddress: "203.0.113.9",
      scheme: "https",
      requestId: "0123456789",
    });
  });

  test.each([
    [1, "198.51.100.4"],
    [2, "203.0.113.9"],
    [3, "6.6.6.6"],
    [4, "6.6.6.6"],
  ])("give the client's address behind %i proxies", (proxies, client) => {
    const behindCdn = new Headers({ "x-forwarded-for": "6.6.6.6, 203.0.113.9, 198.51.100.4" });
    expect(readForwarded(behindCdn, "10.0.0.2", new FrontDoor(["10.0.0.2"]).trusts, proxies).clientAddress).toBe(client);
  });

  test.each([
    ["10.0.0.3", "10.0.0.2"],
    ["11.0.0.2", "10.0.0.0/8"],
    ["::ffff:11.0.0.2", "10.0.0.0/8,fd00::/8"],
    ["2001:db8::1", "10.0.0.0/8,fd00::/8"],
    ["10.0.0.2", ""],
  ])("is not believed from %s when the front door is %s", (peer, frontDoor) => {
    const { requestId, ...rest } = readForwarded(headers, peer, new FrontDoor(frontDoor ? readFrontDoor(frontDoor) : []).trusts);
    expect(rest).toEqual({ host: "127.0.0.1:3000", clientAddress: peer, scheme: "http" });
    expect(requestId).not.toBe("0123456789");
  });
});
