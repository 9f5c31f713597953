import { fireEvent, screen, waitFor, within } from "@testing-library/react";
import { expect, test } from "vitest";
import { type HouseStyle, houseStyleMaxLength } from "#contract/house-style.ts";
import type { Role } from "#contract/kinds.ts";
import { acme, ids, signedIn } from "../../../tests/support/web/fixtures.ts";
import { renderApp } from "../../../tests/support/web/render-app.tsx";
import { stubApi } from "../../../tests/support/web/stub-api.ts";

const none: HouseStyle = { text: "", updated_by_name: null, updated_at: null };
const short: HouseStyle = {
  text: "Short sentences.\nNo exclamation marks.",
  updated_by_name: "Grace",
  updated_at: "2026-01-05T09:00:00.000Z",
};
const save = "PUT /api/workspaces/*/house-style";

async function open(style: HouseStyle, role: Role = "owner", more: object = {}) {
  const api = stubApi({
    ...signedIn([{ ...acme, role }]),
    "GET /api/workspaces/*/assistants": { assistants: [] },
    "GET /api/workspaces/*/house-style": { house_style: style },
    [save]: ({ body }: { body: unknown }) => ({
      house_style: { text: (body as HouseStyle).text.trim(), updated_by_name: "Ada Lovelace", updated_at: "2026-01-06T09:00:00.000Z" },
    }),
    ...more,
  });
  const app = renderApp(`/workspace/${ids.acme}/settings/assistants`);
  const region = await screen.findByRole("region", { name: "House style for assistants" });
  return { ...app, api, region };
}
const field = () => screen.findByRole<HTMLTextAreaElement>("textbox", { name: "House style" });

test("house style saves with a count and asks about unsaved changes", async () => {
  const { user, api, region, router, address } = await open(none);
  await user.type(await field(), "Be brief. ");
  expect(region.textContent).toContain("9 of 4,000 characters");
  void router.navigate(`/workspace/${ids.acme}/team`);
  await user.click(within(await screen.findByRole("dialog", { name: "Leave without saving?" })).getByRole("button", { name: "Stay" }));
  expect((await field()).value).toBe("Be brief. ");
  await user.click(within(region).getByRole("button", { name: "Save" }));
  await screen.findByText("House style saved");
  expect(api.to(save)[0]!.body).toEqual({ text: "Be brief." });
  await waitFor(() => expect(region.textContent).toContain("by Ada Lovelace"));
  void router.navigate(`/workspace/${ids.acme}/team`);
  await waitFor(() => expect(address()).toBe(`/workspace/${ids.acme}/team`));
});

test("house style keeps text that is too long, with an error", async () => {
  const { user, api, region } = await open(short);
  const long = "a".repeat(houseStyleMaxLength + 1);
  fireEvent.change(await field(), { target: { value: long } });
  await within(region).findByText("Please use at most 4,000 characters");
  expect(region.textContent).toContain("4,001 of 4,000");
  await user.click(within(region).getByRole("button", { name: "Save" }));
  expect(api.to(save)).toEqual([]);
  expect((await field()).value).toBe(long);
  expect(document.activeElement).toBe(await field());
});
