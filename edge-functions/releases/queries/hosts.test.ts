import { beforeEach, expect, test } from "vitest";
import type { Sql } from "./database.ts";
import { Hosts } from "./hosts.ts";

let owners: Record<string, string | null>;
let versions: Record<string, string | null>;
let asked: number;
let hosts: Hosts;

beforeEach(() => {
  owners = { "changelog.acme.example": "acme" };
  versions = { acme: "1", globex: "1" };
  asked = 0;
  const sql = ((_query: unknown, host: string) => {
    asked++;
    return Promise.resolve([{ subdomain: owners[host] ?? null }]);
  }) as unknown as Sql;
  hosts = new Hosts(sql, (subdomain) => Promise.resolve(versions[subdomain] ?? null));
});
const find = () => hosts.find("changelog.acme.example");

test("whose a host is is asked for while it is new, then only when the workspace has changed", async () => {
  for (let time = 0; time < 5; time++) expect(await find()).toEqual({ subdomain: "acme", version: "1" });
  expect(asked).toBe(2); // the second time to know that it was so after the version was read
  versions.acme = "2";
  for (let time = 0; time < 5; time++) expect(await find()).toEqual({ subdomain: "acme", version: "2" });
  expect(asked).toBe(3);
});

test("a host that was given up is nobody's at once, and one that another workspace has got is that one's", async () => {
  await find();
  await find();
  [owners["changelog.acme.example"], versions.acme] = [null, "2"];
  expect(await find()).toBeNull();
  [owners["changelog.acme.example"], versions.globex] = ["globex", "2"];
  expect(await find()).toEqual({ subdomain: "globex", version: "2" });
});

test("a workspace that closed has no host", async () => {
  await find();
  await find();
  [owners["changelog.acme.example"], versions.acme] = [null, null];
  expect(await find()).toBeNull();
  expect(await hosts.find("nobody.example")).toBeNull();
});
