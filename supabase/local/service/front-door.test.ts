import { hostname } from "node:os";
import { expect, test } from "vitest";
import { FrontDoor } from "./front-door.ts";

async function addressOf(host: string): Promise<string | null> {
  const frontDoor = new FrontDoor(host);
  await frontDoor.start();
  frontDoor.stop();
  return frontDoor.address;
}

test.each(["10.0.0.2", "::1"])("an address (%s) is believed as it is, before anything has started", (address) => {
  expect(new FrontDoor(address).address).toBe(address);
});

test("a name is believed by the address it has", async () => {
  expect(await addressOf("localhost")).toBe("127.0.0.1");
  expect(await addressOf(hostname())).toMatch(/^\d+(\.\d+){3}$/);
});

test("no peer is believed while the name has no address", async () => {
  expect(new FrontDoor("caddy").address).toBeNull();
  expect(await addressOf("front-door.invalid")).toBeNull();
});
