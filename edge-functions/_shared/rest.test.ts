import { afterEach, expect, test, vi } from "vitest";
import { askUntilServed } from "./rest.ts";

afterEach(() => vi.unstubAllGlobals());

const refused = (code: string, status = 500) =>
  Response.json({ code, message: "deadlock detected", details: null, hint: null }, { status });
function database(...answers: Response[]) {
  const fetched = vi.fn<(address: string, options?: RequestInit) => Promise<Response>>(() =>
    Promise.resolve((answers.length > 1 ? answers.shift()! : answers[0]!).clone()),
  );
  vi.stubGlobal("fetch", fetched);
  return fetched;
}
const options = { method: "POST", body: "{}" };

test.each(["40P01", "40001"])("a call that fails with %s is retried unchanged", async (code) => {
  const fetched = database(refused(code), refused(code), Response.json([{ id: 1 }]));
  expect(await (await askUntilServed("http://rest.example/rpc/x", options)).json()).toEqual([{ id: 1 }]);
  expect(fetched.mock.calls).toEqual(Array.from({ length: 3 }, () => ["http://rest.example/rpc/x", options]));
});

test("a call that always fails returns the database's error", async () => {
  const fetched = database(refused("40P01"));
  expect(await (await askUntilServed("http://rest.example/rpc/x", options)).json()).toMatchObject({ code: "40P01" });
  expect(fetched).toHaveBeenCalledTimes(4);
});

test.each([
  ["another refusal", refused("P0001", 400)],
  ["a statement whose end nobody knows", refused("40003")],
  ["an answer that speaks of it", Response.json([{ code: "40P01" }])],
])("%s is the answer", async (_, answer) => {
  const fetched = database(answer);
  expect((await askUntilServed("http://rest.example/rpc/x", options)).status).toBe(answer.status);
  expect(fetched).toHaveBeenCalledTimes(1);
});
