import { describe, expect, test } from "vitest";
import { readSettings } from "../settings.ts";
import { serviceEnvironment } from "./serve.ts";
import { readSignUpRule } from "./sign-up.ts";

const mode = (value: string | undefined) => readSignUpRule({ TIDINGS_SIGNUP: value }, "invited");

describe("TIDINGS_SIGNUP", () => {
  test.each(["open", "invited", "closed"])("accepts %s", (value) => {
    expect(mode(` ${value} `)).toEqual({ mode: value, domains: [], operatorEmail: null });
  });

  test.each([undefined, "", " "])("defaults to the command's mode for %j", (value) => {
    expect(mode(value).mode).toBe("invited");
  });

  test("accepts domains in lower case", () => {
    expect(mode("domains:Acme.example, b.co.example,xn--mnchen-3ya.example")).toEqual({
      mode: "domains",
      domains: ["acme.example", "b.co.example", "xn--mnchen-3ya.example"],
      operatorEmail: null,
    });
  });

  test.each(["yes", "Open", "invite", "domain:a.example", "domains", "open,invited", "true"])("rejects %s", (value) => {
    expect(() => mode(value)).toThrow(
      `TIDINGS_SIGNUP must be open, invited, closed or domains:acme.example,globex.example, not "${value}".`,
    );
  });

  test.each([
    "",
    "example",
    "*.example",
    "@a.example",
    "a.example.",
    "a..example",
    "münchen.example",
    "10.0.0.1",
    "a.example;b.example",
    "-a.example",
  ])("rejects the domain '%s'", (name) => {
    expect(() => mode(`domains:${name}`)).toThrow(`TIDINGS_SIGNUP names "${name}", which isn't a domain such as acme.example.`);
    expect(() => mode(`domains:acme.example,${name}`)).toThrow("which isn't a domain");
  });
});

describe("TIDINGS_OPERATOR_EMAIL", () => {
  const operator = (value: string) => readSignUpRule({ TIDINGS_OPERATOR_EMAIL: value }, "open").operatorEmail;

  test("accepts one address in lower case", () => {
    expect([operator(" Ann@Acme.example "), operator("")]).toEqual(["ann@acme.example", null]);
  });

  test.each(["ann", "ann@acme", "ann@acme.example, bob@acme.example", "@acme.example", "Ann <ann@acme.example>"])("rejects %s", (value) => {
    expect(() => operator(value)).toThrow(`TIDINGS_OPERATOR_EMAIL must be one email address, not "${value}".`);
  });
});

test("sign-up is open with npm start, and by invitation with npm run serve", () => {
  expect(readSettings({}).signUp.mode).toBe("open");
  expect(readSettings(serviceEnvironment(["--public-url", "https://tidings.example"], {})).signUp.mode).toBe("invited");
});

test("npm run serve rejects an invalid TIDINGS_SIGNUP before building", () => {
  expect(() => serviceEnvironment(["--public-url", "https://tidings.example"], { TIDINGS_SIGNUP: "nobody" })).toThrow(
    "TIDINGS_SIGNUP must be",
  );
});
