import { setTimeout as wait } from "node:timers/promises";
import { type Browser, type BrowserContext, chromium, type Page } from "playwright";
import { chromiumFlags, ensureHeadlessChromium } from "../support/chromium.ts";
import { exec, logs } from "./podman.ts";

export const browserFor = (domain: string, httpsPort: number): Promise<Browser> =>
  chromium.launch({
    executablePath: ensureHeadlessChromium(),
    // lets other sites' pages reach this machine, as they can a server
    args: [
      ...chromiumFlags,
      "--disable-features=LocalNetworkAccessChecks",
      `--host-resolver-rules=MAP ${domain} 127.0.0.1:${httpsPort}, MAP *.${domain} 127.0.0.1:${httpsPort}`,
    ],
  });

export const person = { fullName: "Olga Operator", email: "olga@example.com", password: "correct horse battery" };

export async function mailedLink(container: string, email: string, path: string): Promise<string> {
  for (let time = 0; time < 50; time++) {
    const lines = exec(container, "cat", "/data/mail/caught.jsonl")
      .output.split("\n")
      .filter((line) => line.startsWith("{"));
    const mails = lines.map((line) => JSON.parse(line) as { to: string; links: string[] });
    const link = mails.findLast(({ to }) => to === email)?.links.find((each) => each.includes(path));
    if (link) return link;
    await wait(200);
  }
  throw new Error(`no email to ${email}`);
}

export async function publishFirstPost(page: Page, container: string, origin: string, website: string): Promise<string> {
  const button = (name: string | RegExp) => page.getByRole("button", { name, exact: typeof name === "string" });
  await page.goto(`${origin}/auth?type=signup`);
  await page.getByText("Sign-up is by invitation.").waitFor();
  const link = /^ +Operator +(\S+)$/m.exec(logs(container))?.[1];
  if (!link) throw new Error(`no link for the operator: ${logs(container)}`);
  await page.goto(link);
  await page.getByLabel("Full name").fill(person.fullName);
  await page.getByLabel("Email").fill(person.email);
  await page.getByLabel("Password", { exact: true }).fill(person.password);
  await button("Sign up").click();
  await page.getByRole("heading", { name: "Tell us about your company" }).waitFor();
  await page.getByLabel("Business name").fill("Image");
  await page.getByLabel("Business website").fill(website);
  await button("Next").click();
  await page.getByLabel("Job title").fill("Operator");
  await button("Complete").click();
  await page.waitForURL(/\/dashboard$/);

  await page.getByRole("link", { name: "Write a post" }).first().click();
  await page.getByRole("textbox", { name: "Title" }).fill("We are live");
  await page.locator(".codex-editor [contenteditable=true]").first().click();
  await page.keyboard.type("Served from a container.");
  await button("Publish").click();
  await page.getByRole("dialog", { name: "Publish this post?" }).getByRole("button", { name: "Publish" }).click();
  const release = page.getByRole("link", { name: /View release post/ }).first();
  await release.waitFor();
  return (await release.getAttribute("href")) ?? "";
}

export async function widgetText(context: BrowserContext, site: string, origin: string, subdomain: string): Promise<string> {
  const html = `<!doctype html><title>Another site</title><script async src="${origin}/widget.js" data-workspace="${subdomain}"></script>`;
  await context.route(`${site}/**`, (route) => route.fulfill({ contentType: "text/html", body: html }));
  const page = await context.newPage();
  await page.goto(`${site}/`);
  await page.getByRole("button", { name: "What's New" }).click();
  const panel = page.getByRole("dialog", { name: "What's New" });
  await panel.getByText("We are live").first().waitFor();
  return await panel.innerText();
}

export async function signUpByApi(
  container: string,
  url: string,
  publicUrl = url,
): Promise<{ token: string; workspaceId: string; email: string }> {
  const email = `${crypto.randomUUID()}@example.com`;
  const send = async <Answer>(path: string, body: object, headers: Record<string, string> = {}): Promise<Answer> => {
    const init = {
      method: "POST",
      headers: { "content-type": "application/json", origin: publicUrl, ...headers },
      body: JSON.stringify(body),
    };
    const answer = await fetch(url + path, init);
    if (!answer.ok) throw new Error(`${path} answers ${answer.status}: ${await answer.text()}`);
    return (await answer.json()) as Answer;
  };
  await send("/api/auth/signup", { email, password: person.password, fullName: person.fullName });
  const spent = new URL(await mailedLink(container, email, "token_hash=")).searchParams.get("token_hash");
  const apikey = keyOf(container);
  const { access_token: token } = await send<{ access_token: string }>(
    "/auth/v1/verify",
    { type: "signup", token_hash: spent },
    { apikey },
  );
  const subdomain = `i${crypto.randomUUID().slice(0, 8)}`;
  const workspace = { name: "Image", subdomain, origin: "https://image.example", jobTitle: "Tester" };
  const made = await send<{ workspace: { id: string } }>("/api/workspaces/create", workspace, { authorization: `Bearer ${token}` });
  return { token, workspaceId: made.workspace.id, email };
}

const keyOf = (container: string): string =>
  (JSON.parse(exec(container, "cat", "/data/keys.json").output) as { publishableKey: string }).publishableKey;

export async function signIn(container: string, url: string, email: string): Promise<string> {
  const answer = await fetch(`${url}/auth/v1/token?grant_type=password`, {
    method: "POST",
    headers: { "content-type": "application/json", apikey: keyOf(container) },
    body: JSON.stringify({ email, password: person.password }),
  });
  if (!answer.ok) throw new Error(`signing in answers ${answer.status}: ${await answer.text()}`);
  return ((await answer.json()) as { access_token: string }).access_token;
}
