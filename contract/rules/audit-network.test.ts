import { expect, test } from "vitest";
import { auditNetwork } from "./audit-network.ts";

test.each([
  ["203.0.113.77", "203.0.113.0/24"],
  ["::ffff:203.0.113.77", "203.0.113.0/24"],
  ["2001:db8:ABCD:12::1", "2001:db8:abcd::/48"],
  ["2001:0db8:0000:0012::1", "2001:db8::/48"],
  ["2001:0:0:1::1", "2001::/48"],
  ["::1", "::/48"],
])("%s was in %s", (address, network) => {
  expect(auditNetwork(address)).toBe(network);
});

test.each(["", "unknown", "1.2.3", "1.2.3.4:80", "256.1.1.1", "a name", "1.2.3.4 5", "g::1", "2001:db8", "x".repeat(10_000)])(
  "%j isn't an IP address",
  (text) => {
    expect(auditNetwork(text)).toBeNull();
  },
);
