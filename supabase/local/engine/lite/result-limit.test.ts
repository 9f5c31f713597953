import { once } from "node:events";
import { type AddressInfo, createServer } from "node:net";
import { describe, expect, onTestFinished, test } from "vitest";
import { limitedResults } from "./result-limit.ts";

describe("a result of the database", () => {
  test("is read no further than its limit, each request anew", () => {
    const { types, reset } = limitedResults(100);
    const row = JSON.stringify("x".repeat(58));
    expect(types.jsonb.parse(row)).toBe("x".repeat(58));
    expect(() => types.json.parse(row)).toThrow("too long");
    reset();
    expect(types.json.parse(row)).toBe("x".repeat(58));
  });

  test("that comes in one piece is not read to its end either: its connection ends", async () => {
    const piece = Buffer.alloc(65_536);
    const server = createServer((socket) => {
      const more = () => socket.write(piece, () => setImmediate(more));
      socket.on("error", () => {});
      more();
    }).listen(0, "127.0.0.1");
    onTestFinished(() => void server.close());
    await once(server, "listening");
    const limit = limitedResults(100_000);
    const socket = await limit.socket({ host: ["127.0.0.1"], port: [(server.address() as AddressInfo).port] });
    limit.reset();
    await once(socket, "close");
    expect([limit.isExceeded(), socket.bytesRead > 400_000, socket.bytesRead < 2_000_000]).toEqual([true, true, true]);
    limit.reset();
    expect(limit.isExceeded()).toBe(false);
  });
});
