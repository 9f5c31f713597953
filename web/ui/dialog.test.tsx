import { fireEvent, render, screen, waitFor } from "@testing-library/react";
import { expect, test } from "vitest";
import { z } from "zod";
import { errorCatalogue } from "#contract/errors.ts";
import { ApiError } from "../lib/api-client.ts";
import { matchingMedia } from "../../tests/support/web/setup.ts";
import { ConfirmDialog } from "./confirm-dialog.tsx";
import { Dialog } from "./dialog.tsx";
import { FormDialog } from "./form-dialog.tsx";
import { TextField } from "./text-field.tsx";

const focused = () => document.activeElement?.getAttribute("aria-label") ?? document.activeElement?.textContent;

test("a dialog focuses its first field, and a confirmation the safe button", async () => {
  matchingMedia.add("(pointer: fine)");
  const dialog = render(
    <Dialog open title="Add site" onClose={() => {}}>
      <input aria-label="URL" />
    </Dialog>,
  );
  await waitFor(() => expect(focused()).toBe("URL"));
  dialog.unmount();
  render(
    <ConfirmDialog title="Remove?" confirm="Remove" onConfirm={() => {}} onClose={() => {}}>
      Really?
    </ConfirmDialog>,
  );
  await screen.findByRole("dialog");
  await waitFor(() => expect(focused()).toBe("Cancel"));
});

test("a form leaves the end of the session to its own dialog, and keeps what was typed", async () => {
  const codes = ["unauthenticated", "internal"] as const;
  let calls = 0;
  const submit = async () => {
    const code = codes[calls++]!;
    throw new ApiError(500, code, errorCatalogue[code].sentence);
  };
  render(
    <FormDialog
      title="Add"
      width="20rem"
      verb="Add"
      schema={z.object({ name: z.string() })}
      failure="Failed"
      onSubmit={submit}
      onClose={() => {}}
    >
      <TextField name="name" label="Name" />
    </FormDialog>,
  );
  fireEvent.change(await screen.findByLabelText("Name"), { target: { value: "Ada" } });
  const press = () => fireEvent.click(screen.getByRole("button", { name: "Add" }));
  press();
  await waitFor(() => expect(screen.getByRole("button", { name: "Add" }).getAttribute("aria-busy")).toBeNull());
  expect(calls).toBe(1);
  expect(screen.queryByRole("alert")).toBeNull();
  press();
  await screen.findByText(errorCatalogue.internal.sentence);
  expect(screen.getByLabelText<HTMLInputElement>("Name").value).toBe("Ada");
});
