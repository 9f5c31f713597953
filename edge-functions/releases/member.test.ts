import { expect, test } from "vitest";
import { mayEdit } from "./member.ts";

test.each([
  ["tc-member=acme", true],
  ["tc-auth=x; tc-member=beta.acme", true],
  ["tc-member=beta.acme; other=1", true],
  ["tc-member=beta", false],
  ["tc-member=acme-two.not-acme", false],
  ["tc-member=", false],
  ["xtc-member=acme", false],
  ["other=tc-member=acme", false],
  [null, false],
])("mayEdit with %s for acme is %s", (cookie, offered) => {
  expect(mayEdit(new Headers(cookie === null ? {} : { cookie }), "acme")).toBe(offered);
});
