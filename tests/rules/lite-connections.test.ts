import type { Sql } from "postgres";
import { describe, expect, test } from "vitest";
import { LiteConnections } from "../../supabase/local/lite-connections.ts";

interface Client {
  queries: string[];
  close(): void;
  answer(query: string): Promise<unknown>;
}

/** Connections whose queries a test answers itself. */
function fakeConnections(size: number, answer: (query: string) => Promise<unknown> = () => Promise.resolve([])) {
  const clients: Client[] = [];
  const connections = new LiteConnections(size, (onClose) => {
    const client: Client = { queries: [], close: onClose, answer };
    clients.push(client);
    const unsafe = (query: string) => {
      client.queries.push(query);
      return client.answer(query);
    };
    return { unsafe } as unknown as Sql;
  });
  return { connections, clients };
}

const never = () => new Promise<never>(() => {});
const codeOf = (query: PromiseLike<unknown>) =>
  Promise.resolve(query).then(
    () => "answered",
    (error: { code?: string }) => error.code,
  );

describe("a reservation whose connection ends", () => {
  test("refuses the query that is on its way, which postgres.js may never answer", async () => {
    const { connections, clients } = fakeConnections(1, never);
    const reserved = await connections.reserve();
    const query = codeOf(reserved.unsafe("update posts"));
    clients[0]?.close();
    expect(await query).toBe("CONNECTION_CLOSED");
  });

  test("sends nothing more, also when the client has connected again for somebody else", async () => {
    const { connections, clients } = fakeConnections(1);
    const reserved = await connections.reserve();
    await reserved.unsafe("begin");
    clients[0]?.close();
    expect(await codeOf(reserved.unsafe("commit"))).toBe("CONNECTION_CLOSED");
    expect(clients[0]?.queries).toEqual(["begin"]);
  });

  test.each(["ECONNRESET", "ECONNREFUSED", "CONNECT_TIMEOUT", "57P01", "57P03", "08006"])("is lost by the error %s too", async (code) => {
    const { connections, clients } = fakeConnections(1, () => Promise.reject(Object.assign(new Error("gone"), { code })));
    const reserved = await connections.reserve();
    expect(await codeOf(reserved.unsafe("begin"))).toBe(code);
    expect(await codeOf(reserved.unsafe("rollback"))).toBe("CONNECTION_CLOSED");
    expect(clients[0]?.queries).toEqual(["begin"]);
    expect(connections.lost).toBe(1);
  });

  test("leaves the next one a fresh start", async () => {
    const { connections, clients } = fakeConnections(1);
    const first = await connections.reserve();
    clients[0]?.close();
    first.release();
    const second = await connections.reserve();
    expect(await codeOf(second.unsafe("select 1"))).toBe("answered");
    expect(connections.lost).toBe(1);
  });
});

test("an ordinary error of a query loses nothing", async () => {
  const { connections } = fakeConnections(1, () => Promise.reject(Object.assign(new Error("duplicate"), { code: "23505" })));
  const reserved = await connections.reserve();
  expect(await codeOf(reserved.unsafe("insert"))).toBe("23505");
  expect(await codeOf(reserved.unsafe("rollback"))).toBe("23505");
  expect(connections.lost).toBe(0);
});

test("a connection serves one request at a time, the others wait their turn", async () => {
  const { connections } = fakeConnections(1);
  const first = await connections.reserve();
  let served = false;
  const second = connections.reserve().then(() => (served = true));
  await Promise.resolve();
  expect(served).toBe(false);
  first.release();
  await second;
  expect(served).toBe(true);
});
