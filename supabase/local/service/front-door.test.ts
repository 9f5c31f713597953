import { lookup } from "node:dns/promises";
import { hostname } from "node:os";
import { expect, test } from "vitest";
import { FrontDoor, readFrontDoor } from "./front-door.ts";

async function started(value: string): Promise<FrontDoor> {
  const frontDoor = new FrontDoor(readFrontDoor(value));
  await frontDoor.start();
  frontDoor.stop();
  return frontDoor;
}

test.each([
  ["10.0.0.2", "10.0.0.2"],
  ["10.0.0.2", "::ffff:10.0.0.2"],
  ["::1", "0:0:0:0:0:0:0:1"],
  ["10.0.0.0/8", "10.255.0.1"],
  ["10.0.0.0/8", "::ffff:10.1.2.3"],
  ["172.16.0.0/12, fdaa::/16", "fdaa:0:1::3"],
  ["192.0.2.1,100.64.0.0/10", "100.127.255.254"],
])("of the front door %s the peer %s is believed before anything has started", (value, peer) => {
  expect(new FrontDoor(readFrontDoor(value)).trusts(peer)).toBe(true);
});

test.each([
  ["10.0.0.2", "10.0.0.3"],
  ["10.0.0.0/8", "11.0.0.1"],
  ["10.0.0.0/8", "::ffff:11.0.0.1"],
  ["172.16.0.0/12", "172.32.0.1"],
  ["fd00::/8", "fe80::1"],
  ["0.0.0.0/0", "2001:db8::1"],
  ["10.0.0.0/8", "unknown"],
])("of the front door %s the peer %s is not believed", (value, peer) => {
  expect(new FrontDoor(readFrontDoor(value)).trusts(peer)).toBe(false);
});

test("a name is believed by the address it has, beside networks", async () => {
  expect((await started("localhost")).trusts("127.0.0.1")).toBe(true);
  expect((await started("localhost")).trusts("127.0.0.2")).toBe(false);
  const named = await started(`${hostname()}, 10.0.0.0/8, front-door.invalid`);
  expect([named.trusts("10.0.0.1"), named.trusts("192.0.2.1")]).toEqual([true, false]);
  const { address } = await lookup(hostname(), 4);
  expect(named.trusts(address)).toBe(true);
});

test("no peer is believed while the name has no address", async () => {
  expect(new FrontDoor(["caddy"]).trusts("127.0.0.1")).toBe(false);
  expect((await started("front-door.invalid")).trusts("127.0.0.1")).toBe(false);
});

test.each(["10.0.0.0/33", "10.0.0/8", "fd00::/129", "caddy:3000", "https://caddy", "10.0.0.1,,10.0.0.2", "-"])(
  "readFrontDoor rejects %s",
  (value) => {
    expect(() => readFrontDoor(value)).toThrow(
      /^TIDINGS_FRONT_DOOR must be addresses, networks such as 10\.0\.0\.0\/8, or names, separated by commas, not "/,
    );
  },
);
