import http from "node:http";
import type { AddressInfo } from "node:net";
import { afterAll, beforeAll, expect, test } from "vitest";
import { freePort, run, type RunningStack, stackEnvironment, startStack } from "../support/stack.ts";

interface Sent {
  from: string;
  to: string;
  subject: string;
  html: string;
}

let stack: RunningStack;
let sent: Sent[] = [];
let mailServerStatus = 200;
const mailServer = http.createServer((request, response) => {
  let body = "";
  request.on("data", (chunk: Buffer) => (body += chunk.toString()));
  request.on("end", () => {
    if (request.headers.authorization === "Bearer mail-key" && mailServerStatus === 200) sent.push(JSON.parse(body) as Sent);
    response.writeHead(mailServerStatus).end("{}");
  });
});

beforeAll(async () => {
  await new Promise<void>((resolve) => mailServer.listen(0, "127.0.0.1", resolve));
  const { port } = mailServer.address() as AddressInfo;
  const mail = {
    TIDINGS_MAIL_API_URL: `http://127.0.0.1:${port}`,
    TIDINGS_MAIL_API_KEY: "mail-key",
    TIDINGS_MAIL_FROM: "Tidings <hello@tidings.example>",
  };
  stack = await startStack({ args: ["serve"], seed: "demo", env: { TIDINGS_PUBLIC_URL: "https://tidings.example", ...mail } });
});
afterAll(async () => {
  await stack?.stop();
  mailServer.close();
});

const signUp = (email: string) =>
  fetch(`${stack.url}/auth/v1/signup`, {
    method: "POST",
    headers: { apikey: stack.publishableKey, "content-type": "application/json" },
    body: JSON.stringify({ email, password: "correct horse" }),
  });

test("a service has no demo account, even if the setting asks for one", async () => {
  const answer = await fetch(`${stack.url}/auth/v1/token?grant_type=password`, {
    method: "POST",
    headers: { apikey: stack.publishableKey, "content-type": "application/json" },
    body: JSON.stringify({ email: "demo@tidings.example", password: "demo" }),
  });
  expect(answer.status).toBe(400);
});

test("a service sends emails through its transport, with links to the public URL, and stores none", async () => {
  expect((await signUp("ann@example.com")).status).toBe(200);
  expect(sent).toHaveLength(1);
  expect(sent[0]).toMatchObject({ from: "Tidings <hello@tidings.example>", to: "ann@example.com" });
  expect(sent[0]!.html).toContain("https://tidings.example/auth/confirm?token_hash=");
  expect((await fetch(`${stack.url}/dev/mail.json`)).status).toBe(404);
});

test("a failed email is reported in a sentence at sign-up, and the next attempt sends it", async () => {
  const signUpHere = () =>
    fetch(`${stack.url}/api/auth/signup`, {
      method: "POST",
      headers: { "content-type": "application/json", origin: "https://tidings.example" },
      body: JSON.stringify({ fullName: "Cleo", companyName: "Nile", email: "cleo@example.com", password: "correct horse" }),
    });
  mailServerStatus = 503;
  sent = [];
  const refused = await signUpHere();
  expect(refused.status).toBeGreaterThanOrEqual(500);
  expect(await refused.json()).toMatchObject({ error: expect.stringMatching(/[a-z] .*\.$/) as string, code: expect.any(String) as string });
  expect(sent).toEqual([]);
  mailServerStatus = 200;
  await new Promise((resolve) => setTimeout(resolve, 1_100));
  expect((await signUpHere()).status).toBe(201);
  await expect.poll(() => sent.map(({ to }) => to)).toEqual(["cleo@example.com"]);
  console.log("mail server down: 1 sign-up refused, 1 mail at the second attempt, 0 promised in vain");
});

test("an unsafe setup without https is refused in one sentence, before anything starts", async () => {
  const env = stackEnvironment("/nowhere", await freePort());
  const { code, output } = await run(["serve", "--host", "0.0.0.0", "--public-url", "https://tidings.example"], env).ended;
  expect([code, output.trim()]).toEqual([
    1,
    "Beyond this machine (0.0.0.0) nothing here speaks https: name the address of the front door that does with --front-door, or accept it with --insecure-http.",
  ]);
});
