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

test("what is typed on a tag names a new one, with its spaces, and ticks nothing", async () => {
  const { user, onChange, name } = open();
  await user.keyboard("Mobile app");
  expect(document.activeElement).toBe(name);
  expect(name.value).toBe("Mobile app");
  expect(onChange).not.toHaveBeenCalled();
});

test("a space still ticks it, and shortcuts and named keys stay where they are", async () => {
  const { user, onChange, box, name } = open();
  await user.keyboard("{Control>}k{/Control}{Meta>}k{/Meta}{Alt>}k{/Alt}{F2}{Shift}{Escape} ");
  expect(document.activeElement).toBe(box);
  expect(name.value).toBe("");
  expect(onChange).toHaveBeenCalledWith(["feature"]);
});

test("the name of a new tag shows those that are like it, until it is being made", async () => {
  const { user, name } = open();
  await user.type(name, " fEAT");
  expect(names()).toEqual(["Feature"]);
  await user.type(name, "ed");
  expect(names()).toEqual([]);
  screen.getByText("No tag is called like this yet");
  await user.click(screen.getByRole("button", { name: "Create tag" }));
  expect(names()).toEqual(defaultTags.map(({ label }) => label));
});
