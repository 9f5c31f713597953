import { confirmationLink, newPerson } from "./support/journey.ts";
import { expect, expectAccessible, type Page, test } from "./support/test.ts";

async function typeInto(page: Page, label: string | RegExp, text: string): Promise<void> {
  const field = page.getByLabel(label, { exact: true });
  for (let presses = 0; presses < 12 && !(await field.evaluate((element) => element === document.activeElement)); presses++) {
    await page.keyboard.press("Tab");
  }
  await expect(field).toBeFocused();
  await page.keyboard.type(text);
}

/** The logo cached on this device. Pages don't wait for it, so an immediate reload can come first. */
async function keptLogo(): Promise<string | undefined> {
  const answered = <Answer>(request: IDBRequest<Answer>) =>
    new Promise<Answer>((resolve, reject) => {
      request.onsuccess = () => resolve(request.result);
      request.onerror = () => reject(request.error!);
    });
  const database = await answered(indexedDB.open("tidings-onboarding"));
  try {
    if (!database.objectStoreNames.contains("pictures")) return undefined;
    const [kept] = await answered<{ logo?: { name: string } }[]>(database.transaction("pictures").objectStore("pictures").getAll());
    return kept?.logo?.name;
  } finally {
    database.close();
  }
}

test("a new user reaches the dashboard by keyboard, and a reload on the way loses nothing", async ({ page, problems: _ }) => {
  const person = newPerson("Keyboard Founder");
  await page.goto("/auth");
  await page.keyboard.press("Shift+Tab");
  for (
    const link = page.getByRole("link", { name: "Not a member? Sign up here." });
    !(await link.evaluate((one) => one === document.activeElement));
  ) {
    await page.keyboard.press("Tab");
  }
  await page.keyboard.press("Enter");
  await expect(page.getByRole("heading", { name: "Sign Up" })).toBeVisible();
  await typeInto(page, "Full name", person.fullName);
  await typeInto(page, "Company name", person.company);
  await typeInto(page, "Email", person.email);
  await typeInto(page, "Password", person.password);
  await page.keyboard.press("Enter");
  await expect(page.getByRole("heading", { name: "Check Your Email" })).toBeFocused();

  await page.goto(await confirmationLink(page, person.email));
  const confirm = page.getByRole("button", { name: "Confirm and continue" });
  await expect(confirm).toBeVisible();
  await page.keyboard.press("Tab");
  await expect(confirm).toBeFocused();
  await page.keyboard.press("Enter");
  await page.waitForURL(/\/onboarding$/);
  await expect(page.getByRole("heading", { name: "Tell us about your company" })).toBeFocused();
  await expect(page.getByLabel("Business name")).toHaveValue(person.company);
  await expect(page.getByText(/Available\. Your page will be at/)).toBeVisible();
  await expectAccessible(page);

  await typeInto(page, "Business website", "https://keyboard.example");
  const chooser = page.waitForEvent("filechooser");
  await page.keyboard.press("Tab");
  await expect(page.getByLabel(/^Logo/)).toBeFocused();
  await page.keyboard.press("Enter");
  await (await chooser).setFiles("tests/e2e/support/picture.png");
  await expect(page.getByText("picture.png")).toBeVisible();
  await expect.poll(() => page.evaluate(keptLogo)).toBe("picture.png");
  await page.reload();
  await expect(page.getByLabel("Business website")).toHaveValue("https://keyboard.example");
  await expect(page.getByText("picture.png")).toBeVisible();

  await page.getByLabel("Business website").focus();
  await page.keyboard.press("Enter");
  await expect(page.getByRole("heading", { name: "It's all about you..." })).toBeFocused();
  await typeInto(page, "Job title", "Editor");
  await expect(page.getByRole("progressbar")).toHaveAttribute("aria-valuenow", "100");
  await expect(page.getByRole("button", { name: "Complete" })).toBeEnabled();
  await page.keyboard.press("Enter");
  await page.waitForURL(/\/workspace\/[0-9a-f-]+\/dashboard$/);
  await expect(page.getByRole("heading", { name: "Dashboard" })).toBeFocused();
  await expect(page.getByRole("button", { name: /^Workspace: / }).locator("img")).toBeVisible();
});
