import { newWorkspace } from "./support/people.ts";
import { expect, expectAccessible, test } from "./support/test.ts";
import { unique } from "./support/workspace.ts";

test("an upgrade grants add-ons and links to their pages", { tag: "@journey" }, async ({ page, problems: _ }) => {
  const { workspaceId } = await newWorkspace(page, "Ulla Upgrade", unique("upgrade"));
  await page.goto(`/workspace/${workspaceId}/analytics`);
  const offer = page.getByRole("dialog", { name: "Upgrade your plan" });
  await expect(offer.getByText("Coming soon. Join the waitlist.")).toHaveCount(0);
  await expect(offer.getByRole("checkbox")).toHaveCount(5);
  await expectAccessible(page);
  await offer.getByRole("checkbox", { name: "Single sign-on" }).check();
  await offer.getByRole("button", { name: "Upgrade now" }).click();
  await expect(page.getByRole("list", { name: "Selected add-ons" }).getByRole("listitem")).toHaveText([/Included$/, /Included$/]);
  await expect(page.getByRole("checkbox")).toHaveCount(0);
  await expectAccessible(page);
  await page.getByRole("button", { name: "Upgrade now" }).click();
  await expect(page.getByRole("heading", { name: "Your upgrade is active" })).toBeVisible();
  await expect(page.getByRole("link", { name: "Go to Single sign-on" })).toBeVisible();
  await expectAccessible(page);
  await page.getByRole("link", { name: "Go to Analytics" }).click();
  await expect(page.getByRole("heading", { name: "Analytics", level: 1 })).toBeVisible();
  await expect(page).toHaveURL(new RegExp(`/workspace/${workspaceId}/analytics`));

  await page.goto(`/upgrade?workspace=${workspaceId}`);
  await expect(page.getByText("Already active")).toHaveCount(2);
  await expect(page.getByRole("checkbox", { name: "Single sign-on" })).toBeDisabled();
  await page.getByRole("checkbox", { name: "Custom domain" }).check();
  await page.getByRole("button", { name: "Upgrade now" }).click();
  await page.getByRole("link", { name: "Go to Custom domain" }).click();
  await expect(page.getByRole("heading", { name: "Custom domain" })).toBeInViewport();

  await page.goto(`/upgrade?workspace=${workspaceId}&add-ons=reports`);
  await page.getByRole("button", { name: "Upgrade now" }).click();
  await expect(page.getByRole("heading", { name: "Your upgrade is active" })).toBeVisible();
  await page.getByRole("link", { name: "Go to Reports" }).click();
  await expect(page.getByRole("heading", { name: "Monthly report" })).toBeInViewport();
});
