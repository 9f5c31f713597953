import { expect, inject, test } from "vitest";
import { Client } from "./support/client.ts";
import { newTeam } from "./support/people.ts";

const { url } = inject("stack");

// what the operator is answered: tests/faults/sign-up.test.ts
test("owners are told that there is no overview, strangers to sign in", async () => {
  const { owner } = await newTeam();
  const refused = await owner.api.get<{ code: string }>("/api/operator");
  expect([refused.status, refused.body.code]).toEqual([404, "not_found"]);
  expect((await new Client(url).get("/api/operator")).status).toBe(401);
});
