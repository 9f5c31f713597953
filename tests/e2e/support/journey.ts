import { sentMails } from "./another-place.ts";
import { expect, type Page } from "./test.ts";

export interface Person {
  fullName: string;
  company: string;
  email: string;
  password: string;
}

let made = 0;
export function newPerson(name: string): Person {
  const unique = `${Date.now().toString(36)}${(made++).toString(36)}`;
  return {
    fullName: name,
    company: `${name} & Co`,
    email: `${name.toLowerCase().replace(/\W+/g, ".")}.${unique}@example.com`,
    password: "correct horse battery",
  };
}

export async function signUp(page: Page, person: Person): Promise<void> {
  await page.goto("/auth?type=signup");
  await page.getByLabel("Full name").fill(person.fullName);
  await page.getByLabel("Company name").fill(person.company);
  await page.getByLabel("Email").fill(person.email);
  await page.getByLabel("Password", { exact: true }).fill(person.password);
  await page.getByRole("button", { name: "Sign up", exact: true }).click();
  await expect(page.getByRole("heading", { name: "Check Your Email" })).toBeVisible();
}

export async function confirmationLink(page: Page, email: string): Promise<string> {
  let link: string | undefined;
  await expect(async () => {
    link = (await sentMails(page)).find((mail) => mail.to === email)?.links.find((address) => address.includes("/auth/confirm"));
    expect(link).toBeDefined();
  }).toPass();
  return link!;
}

export async function confirm(page: Page, email: string): Promise<void> {
  await page.goto(await confirmationLink(page, email));
  await page.getByRole("button", { name: /confirm/i }).click();
}

export async function signIn(page: Page, person: Person): Promise<void> {
  await page.goto("/auth");
  await fillSignIn(page, person.email, person.password);
}

export async function fillSignIn(page: Page, email: string, password: string): Promise<void> {
  await page.getByLabel("Email").fill(email);
  await page.getByLabel("Password", { exact: true }).fill(password);
  await page.getByRole("button", { name: "Sign In", exact: true }).click();
}

export async function onboard(page: Page, business: { name: string; subdomain: string }): Promise<string> {
  await page.goto("/onboarding");
  await expect(page.getByRole("heading", { name: "Tell us about your company" })).toBeVisible();
  await page.getByLabel("Business name").fill(business.name);
  await page.getByLabel(/subdomain/i).fill(business.subdomain);
  await page.getByLabel(/website/i).fill(`https://${business.subdomain}.example.com`);
  await page.getByRole("button", { name: "Next" }).click();
  await expect(page.getByRole("heading", { name: "It's all about you..." })).toBeVisible();
  await page.getByLabel(/job title/i).fill("Product manager");
  await page.getByRole("button", { name: "Complete" }).click();
  await page.waitForURL(/\/workspace\/[0-9a-f-]+\/dashboard$/);
  return new URL(page.url()).pathname.split("/")[2]!;
}
