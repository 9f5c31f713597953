import { render, screen } from "@testing-library/react";
import userEvent from "@testing-library/user-event";
import { expect, test, vi } from "vitest";
import { defaultTags } from "#contract/tags.ts";
import { TagPicker } from "./tag-picker.tsx";

const names = () => screen.queryAllByRole("checkbox").map((box) => box.closest("label")?.textContent);

function open() {
  const onChange = vi.fn<(tags: string[]) => void>();
  render(<TagPicker choosable={defaultTags} chosen={[]} onChange={onChange} onCreate={async () => true} onManage={() => undefined} />);
  const box = screen.getByRole("checkbox", { name: "Feature" });
  box.focus();
  return { user: userEvent.setup(), onChange, box, name: screen.getByLabelText<HTMLInputElement>("New tag") };
}

test("TagPicker moves typed text to the new tag's name without choosing a tag", async () => {
  const { user, onChange, name } = open();
  await user.keyboard("Mobile app");
  expect(document.activeElement).toBe(name);
  expect(name.value).toBe("Mobile app");
  expect(onChange).not.toHaveBeenCalled();
});

test("TagPicker toggles on space and ignores shortcuts and named keys", async () => {
  const { user, onChange, box, name } = open();
  await user.keyboard("{Control>}k{/Control}{Meta>}k{/Meta}{Alt>}k{/Alt}{F2}{Shift}{Escape} ");
  expect(document.activeElement).toBe(box);
  expect(name.value).toBe("");
  expect(onChange).toHaveBeenCalledWith(["feature"]);
});

test("TagPicker filters by the new tag's name until it is created", async () => {
  const { user, name } = open();
  await user.type(name, " fEAT");
  expect(names()).toEqual(["Feature"]);
  await user.type(name, "ed");
  expect(names()).toEqual([]);
  screen.getByText("No matching tags");
  await user.click(screen.getByRole("button", { name: "Create tag" }));
  expect(names()).toEqual(defaultTags.map(({ label }) => label));
});
