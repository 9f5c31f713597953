import type { Sql } from "postgres";
import { describe, expect, onTestFinished, test, vi } from "vitest";
import { LiteConnections } from "./connections.ts";

interface Client {
  queries: string[];
  close(): void;
  ended: boolean;
  answer(query: string): Promise<unknown>;
}

function fakeConnections(size: number, answer: (query: string) => Promise<unknown> = () => Promise.resolve([])) {
  const clients: Client[] = [];
  const open = (onClose: () => void) => {
    const client: Client = { queries: [], close: onClose, ended: false, answer };
    clients.push(client);
    const sent = (query: string) => {
      client.queries.push(query);
      return client.answer(query);
    };
    // oxlint-disable-next-line unicorn/no-thenable -- as postgres.js: a query goes out when somebody waits for it
    const unsafe = (query: string) => ({ then: (...handlers: Parameters<Promise<unknown>["then"]>) => sent(query).then(...handlers) });
    const end = () => Promise.resolve(void (client.ended = true));
    return { client: { unsafe, end } as unknown as Sql, begin: () => {} };
  };
  const connections = new LiteConnections(size, open);
  return { connections, clients };
}

const never = () => new Promise<never>(() => {});
const codeOf = (query: PromiseLike<unknown>) =>
  Promise.resolve(query).then(
    () => "answered",
    (error: { code?: string }) => error.code,
  );

describe("a reservation whose connection ends", () => {
  test("rejects the running query, which postgres.js may never settle", async () => {
    const { connections, clients } = fakeConnections(1, never);
    const reserved = await connections.reserve();
    const query = codeOf(reserved.unsafe("update posts"));
    clients[0]?.close();
    expect(await query).toBe("CONNECTION_CLOSED");
  });

  test("sends nothing more, even after the client reconnects for another request", async () => {
    const { connections, clients } = fakeConnections(1);
    const reserved = await connections.reserve();
    await reserved.unsafe("begin");
    await reserved.unsafe("update posts");
    clients[0]?.close();
    expect(await codeOf(reserved.unsafe("commit"))).toBe("CONNECTION_CLOSED");
    expect(clients[0]?.queries).toEqual(["begin", "update posts"]);
  });

  test("drops unsent queries, which would run as superuser on the next connection", async () => {
    const refused = Object.assign(new Error("sorry, too many clients already"), { code: "53300" });
    const { connections, clients } = fakeConnections(1, (query) => (query === "begin" ? Promise.reject(refused) : never()));
    const reserved = await connections.reserve();
    await reserved.unsafe("begin");
    await reserved.unsafe("SELECT set_config('role', $1, true)", ["anon"]);
    expect(await codeOf(reserved.unsafe("update posts"))).toBe("53300");
    expect(clients.map(({ ended }) => ended)).toEqual([true, false]);
    reserved.release();
    await (await connections.reserve()).unsafe("begin");
    expect(clients[1]?.queries).toEqual([]);
  });

  test("gives the next reservation a fresh connection", async () => {
    const { connections, clients } = fakeConnections(1);
    const first = await connections.reserve();
    clients[0]?.close();
    first.release();
    const second = await connections.reserve();
    expect(await codeOf(second.unsafe("select 1"))).toBe("answered");
    expect(connections.lost).toBe(1);
  });
});

describe("what comes before a request's own query", () => {
  const role = "SELECT set_config('role', $1, true)";
  const sub = "SELECT set_config('request.jwt.claim.sub', $1, true)";

  async function asked(answer?: (query: string) => Promise<unknown>) {
    const { connections, clients } = fakeConnections(1, answer);
    const reserved = await connections.reserve();
    await reserved.unsafe("begin");
    await reserved.unsafe(role, ["authenticated"]);
    await reserved.unsafe(sub, ["somebody"]);
    return { reserved, queries: () => clients[0]?.queries };
  }

  test("is sent with that query as one statement", async () => {
    const { reserved, queries } = await asked();
    expect(queries()).toEqual([]);
    await reserved.unsafe("update posts");
    await reserved.unsafe("commit");
    expect(queries()).toEqual([
      "begin",
      "select set_config('role', $1, true), set_config('request.jwt.claim.sub', $2, true)",
      "update posts",
      "commit",
    ]);
  });

  test("makes that query fail with its own error", async () => {
    const refused = (code: string) => Promise.reject(Object.assign(new Error(code), { code }));
    const { reserved } = await asked((query) => {
      if (query === "begin") return Promise.resolve([]);
      return query.startsWith("select set_config") ? refused("22023") : refused("25P02");
    });
    expect(await codeOf(reserved.unsafe("update posts"))).toBe("22023");
  });

  test.each(["commit", "rollback"])("isn't sent without a query before the %s", async (end) => {
    const { reserved, queries } = await asked();
    await reserved.unsafe(end);
    await reserved.unsafe("select 1");
    expect(queries()).toEqual(["select 1"]);
  });

  test("is cleared when the reservation ends, so the next request has another role", async () => {
    const { connections, clients } = fakeConnections(1);
    const first = await connections.reserve();
    await first.unsafe(role, ["service_role"]);
    first.release();
    await (await connections.reserve()).unsafe("select 1");
    expect(clients[0]?.queries).toEqual(["select 1"]);
  });
});

test("the settings of a function's response are read together with the call", async () => {
  const { connections, clients } = fakeConnections(1, (query) => Promise.resolve([query]));
  const reserved = await connections.reserve();
  const settings = "select current_setting('response.status', true) as status, current_setting('response.headers', true) as headers";
  const call = `select * from public.read_post(post_id := $1::uuid) as "read_post" limit $2`;
  await reserved.unsafe("begin");
  await reserved.unsafe(call, ["1", "1000"]);
  expect(clients[0]?.queries).toEqual(["begin", call, settings]);
  expect(await reserved.unsafe(`\n   ${settings.replace("status, ", "status,\n      ")}\n`)).toEqual([settings]);
  expect(clients[0]?.queries).toHaveLength(3);
});

test("a query error doesn't end the connection", async () => {
  const { connections } = fakeConnections(1, () => Promise.reject(Object.assign(new Error("duplicate"), { code: "23505" })));
  const reserved = await connections.reserve();
  expect(await codeOf(reserved.unsafe("insert"))).toBe("23505");
  expect(await codeOf(reserved.unsafe("rollback"))).toBe("23505");
  expect(connections.lost).toBe(0);
});

test("a connection serves one request at a time, others wait", async () => {
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

describe("once lite is held to roles", () => {
  const posts = 'select "id" from "public"."posts" limit $1';
  const role = "SELECT set_config('role', $1, true)";

  async function held() {
    const { connections, clients } = fakeConnections(1);
    connections.holdToRoles();
    const said = vi.spyOn(console, "error").mockImplementation(() => {});
    onTestFinished(() => said.mockRestore());
    return { reserved: await connections.reserve(), queries: () => clients[0]?.queries, said };
  }
  const refused = (query: PromiseLike<unknown>) => expect(query).rejects.toThrow("outside of a request's role");

  test("a statement on the project's tables needs a role, and fails without one", async () => {
    const { reserved, queries, said } = await held();
    await reserved.unsafe("begin");
    await refused(reserved.unsafe(posts, [1]));
    expect(queries()).toEqual([]);
    expect(said).toHaveBeenCalledWith("lite asks outside of a role:", posts);
    await reserved.unsafe(role, ["anon"]);
    await reserved.unsafe(posts, [1]);
    expect(queries()).toEqual(["begin", "select set_config('role', $1, true)", posts]);
  });

  test("the role ends with its transaction", async () => {
    const { reserved } = await held();
    for (const query of ["begin", 'SET LOCAL ROLE "authenticated"', posts, "commit"]) await reserved.unsafe(query);
    await refused(reserved.unsafe(posts));
  });

  test.each([
    ["another way to say it", "SET LOCAL ROLE anon"],
    ["a role that is none of the API's", 'SET LOCAL ROLE "supabase_admin"'],
    ["one that would outlive the transaction", "select set_config('role', 'anon', false)"],
  ])("%s is rejected", async (_, query) => {
    const { reserved, queries } = await held();
    await reserved.unsafe("begin");
    await Promise.allSettled([reserved.unsafe(query)]);
    await refused(reserved.unsafe(posts));
    expect(queries()).toEqual([]);
  });

  test("a role outside a transaction doesn't count: Postgres drops it immediately", async () => {
    const { reserved } = await held();
    await reserved.unsafe(role, ["anon"]);
    await refused(reserved.unsafe(posts));
  });

  test.each([
    "reset role",
    'SET LOCAL ROLE "supabase_admin"',
    "set session authorization postgres",
    "select set_config('role', 'none', true)",
  ])("a role ends with %s", async (query) => {
    const { reserved } = await held();
    await reserved.unsafe("begin");
    await reserved.unsafe(role, ["anon"]);
    await Promise.allSettled([reserved.unsafe(query)]);
    await refused(reserved.unsafe(posts));
  });

  test("lite's own tables can be queried as before", async () => {
    const { reserved, queries } = await held();
    await reserved.unsafe('select * from "auth"."users" where "id" = $1', ["1"]);
    expect(queries()).toHaveLength(1);
  });
});
