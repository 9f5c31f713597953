import type { FrontDoorStack, SentMail } from "../../support/front-door-stack.ts";
import { type OtherSite, otherSite } from "./other-site.ts";
import type { Page } from "playwright/test";

export const frontDoor: { stack: FrontDoorStack | null } = { stack: null };

export async function sentMails(page: Page): Promise<SentMail[]> {
  if (frontDoor.stack) return frontDoor.stack.mails();
  return (await (await page.request.get("/dev/mail.json")).json()) as SentMail[];
}

export async function readerStatus(page: Page, address: string): Promise<number | undefined> {
  const answer = page.goto(address).then((response) => response?.status());
  return await answer.catch((error: Error) => {
    if (frontDoor.stack && error.message.includes("ERR_SSL_PROTOCOL_ERROR")) return 404;
    throw error;
  });
}

let site: OtherSite | null = null;

export async function elsewhereThan(publicUrl: string): Promise<string> {
  if (!frontDoor.stack) return publicUrl.replace("localhost", "127.0.0.1");
  return (site ??= await otherSite()).origin;
}

export async function openWidgetHost(page: Page, origin: string, subdomain: string): Promise<void> {
  const path = `/dev/widget-host?workspace=${subdomain}`;
  if (frontDoor.stack) {
    const snippet = `<script async src="${frontDoor.stack.publicUrl}/widget.js" data-workspace="${subdomain}"></script>`;
    if (origin === site?.origin) site.page(path, snippet);
    else await standIn(page, origin + path, hostPage(snippet));
  }
  await page.goto(origin + path);
}

/** A service has no such page. It is really sent, since Chromium blocks made-up pages from reaching localhost. */
async function standIn(page: Page, address: string, body: string): Promise<void> {
  await page.context().grantPermissions(["local-network-access"], { origin: new URL(address).origin });
  await page.route(address, (route) => route.fulfill({ contentType: "text/html", body }));
}

const hostPage = (body: string): string =>
  `<!doctype html><html lang="en"><head><meta charset="utf-8"><title>Another site</title></head><body><main><h1>Another site</h1></main>${body}</body></html>`;
