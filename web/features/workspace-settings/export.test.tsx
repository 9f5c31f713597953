import { screen, waitFor } from "@testing-library/react";
import { beforeEach, expect, test, vi } from "vitest";
import { ids, signedIn } from "../../../tests/support/web/fixtures.ts";
import { renderApp } from "../../../tests/support/web/render-app.tsx";
import { stubApi } from "../../../tests/support/web/stub-api.ts";

const kept: { name: string; text: Promise<string> }[] = [];
let made: Blob | undefined;
beforeEach(() => {
  kept.length = 0;
  vi.stubGlobal("URL", Object.assign(URL, { createObjectURL: (file: Blob) => ((made = file), "blob:made"), revokeObjectURL: () => {} }));
  vi.spyOn(HTMLAnchorElement.prototype, "click").mockImplementation(function (this: HTMLAnchorElement) {
    if (this.href === "blob:made") kept.push({ name: this.download, text: made!.text() });
  });
});

const open = async (answer: () => Response, form?: string) => {
  const api = stubApi({ ...signedIn(), "GET /api/team/*/team": { members: [] }, "GET /api/workspaces/*/export": answer });
  const app = renderApp(`/workspace/${ids.acme}/settings`);
  const button = await screen.findByRole("button", { name: "Export workspace" });
  if (form !== undefined) await app.user.click(screen.getByRole("radio", { name: form }));
  await app.user.click(button);
  return { ...app, api };
};

test("the owner's export is kept as a file, byte for byte, under the server's name", async () => {
  const content = '{"format": "tidings-workspace-1"}';
  const headers = { "content-disposition": 'attachment; filename="tidings-acme-2026-11-20.json"' };
  const { api } = await open(() => new Response(content, { headers }));
  await waitFor(() => expect(kept.map(({ name }) => name)).toEqual(["tidings-acme-2026-11-20.json"]));
  expect(await kept[0]!.text).toBe(content);
  expect(api.to("GET /api/workspaces/*/export").map(({ path }) => path)).toEqual([`/api/workspaces/${ids.acme}/export?format=json`]);
});
