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

test("a host is looked up when new, then only after changes of the workspace", async () => {
  for (let time = 0; time < 5; time++) expect(await find()).toEqual({ subdomain: "acme", version: "1" });
  expect(asked).toBe(2);
  versions.acme = "2";
  for (let time = 0; time < 5; time++) expect(await find()).toEqual({ subdomain: "acme", version: "2" });
  expect(asked).toBe(3);
});

test("a released host is free at once, and can move to another workspace", async () => {
  await find();
  await find();
  [owners["changelog.acme.example"], versions.acme] = [null, "2"];
  expect(await find()).toBeNull();
  [owners["changelog.acme.example"], versions.globex] = ["globex", "2"];
  expect(await find()).toEqual({ subdomain: "globex", version: "2" });
});

test("a closed workspace has no host", async () => {
  await find();
  await find();
  [owners["changelog.acme.example"], versions.acme] = [null, null];
  expect(await find()).toBeNull();
  expect(await hosts.find("nobody.example")).toBeNull();
});
