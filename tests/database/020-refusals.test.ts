import { expect, test } from "vitest";
import { errorCatalogue, isErrorCode } from "#contract/errors.ts";
import { connect } from "./support/database.ts";
import { refused } from "./support/refusal.ts";

const sql = connect();
const [source] = await sql<{ prosrc: string }[]>`select prosrc from pg_proc where oid = 'private.refuse'::regproc`;
const codes = [...source!.prosrc.matchAll(/when '(\w+)' then/g)].map(([, code]) => code!);

test("the database knows every error code", () => expect(codes.length).toBeGreaterThan(10));

test.each(codes)("the database raises %s with the contract's sentence", async (code) => {
  if (!isErrorCode(code)) throw new Error(`${code} is not in contract/errors.ts`);
  const answer = await refused(sql`select private.refuse(${code}, '{"a": "b"}')`);
  expect(answer).toEqual({ code, detail: { a: "b" }, message: errorCatalogue[code].sentence });
});

test("every code that our functions raise is in the contract", async () => {
  const bodies = await sql<{ prosrc: string }[]>`
    select prosrc from pg_proc where pronamespace in ('public'::regnamespace, 'private'::regnamespace) and prosrc like '%private.refuse(%'`;
  const raised = bodies.flatMap(({ prosrc }) => [...prosrc.matchAll(/private\.refuse\('(\w+)'/g)].map(([, code]) => code!));
  expect(raised.length).toBeGreaterThan(10);
  expect(raised.filter((code) => !codes.includes(code))).toEqual([]);
});
