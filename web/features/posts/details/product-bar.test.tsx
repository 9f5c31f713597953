import { render, screen } from "@testing-library/react";
import userEvent from "@testing-library/user-event";
import { useState } from "react";
import { expect, test } from "vitest";
import { noDetails, type PostDetails } from "#contract/rules/post-details.ts";
import { endOfDay, lastDayOf } from "./detail-words.ts";
import { ProductBar } from "./product-bar.tsx";

let present = noDetails;
function Post({ initial = noDetails }: { initial?: PostDetails }) {
  const [details, setDetails] = useState(initial);
  const change = (changed: PostDetails) => {
    present = changed;
    setDetails(changed);
  };
  return <ProductBar details={details} canWrite onChange={change} />;
}
const field = (name: string) => screen.getByLabelText(name, { exact: false });
const open = async () => {
  const user = userEvent.setup();
  await user.click(screen.getByRole("button", { name: /^Details/ }));
  return user;
};

test("valid details reach the post, others stay in their field with an error", async () => {
  render(<Post />);
  const user = await open();
  await user.type(field("Product version"), "v1.12.0");
  expect(present.version).toBe("1.12.0");
  await user.tab();
  expect(field("Product version")).toHaveProperty("value", "1.12.0");
  await user.type(field("Product version"), "-");
  await user.tab();
  expect(screen.getByText("Enter a version such as 1.12.0 or 2026.11")).toBeDefined();
  expect(present.version).toBe("1.12.0");
  await user.clear(field("Product version"));
  await user.tab();
  expect([present.version, screen.queryByText(/Enter a version/)]).toEqual([null, null]);
});

test("a button needs its text and a safe URL", async () => {
  render(<Post />);
  const user = await open();
  await user.type(field("Button text"), "Try it");
  await user.type(field("Button URL"), "javascript:alert(1)");
  await user.tab();
  expect(screen.getByText("Please use a URL that starts with https://")).toBeDefined();
  expect(present.button).toBeNull();
  await user.clear(field("Button URL"));
  await user.type(field("Button URL"), "https://acme.example");
  expect(present.button).toEqual({ text: "Try it", url: "https://acme.example" });
  await user.clear(field("Button text"));
  await user.clear(field("Button URL"));
  expect(present.button).toBeNull();
});

test("a placement reaches the post once it is valid, and leaves it again", async () => {
  render(<Post />);
  const user = await open();
  await user.selectOptions(field("Placement"), "Spotlight");
  expect(screen.getByText("Enter a CSS selector, such as #export")).toBeDefined();
  expect(present.placement).toBeNull();
  await user.type(field("CSS selector"), "#export");
  await user.selectOptions(field("Shown again once closed"), "After 7 days");
  await user.type(field("Shown through"), "2026-12-24");
  await user.type(field("Shown from"), "2026-12-25");
  expect(screen.getByText("Please choose a time after the start")).toBeDefined();
  const placement = { surface: "spotlight", selector: "#export", push: false, from: null, until: endOfDay("2026-12-24"), again: 7 };
  expect(present.placement).toEqual(placement);
  await user.selectOptions(field("Placement"), "Banner at the top");
  await user.clear(field("Shown from"));
  await user.click(field("Move the page down"));
  expect(present.placement).toEqual({ ...placement, surface: "banner-top", selector: null, push: true });
  await user.selectOptions(field("Placement"), "None");
  expect([present.placement, screen.queryByText("Shown from")]).toEqual([null, null]);
});

test("reversed dates are told at the pin, and a corrected day clears the error", async () => {
  render(<Post initial={{ ...noDetails, expires_at: endOfDay("2026-12-01") }} />);
  const user = await open();
  await user.type(field("Pinned through"), "2026-12-24");
  await user.tab();
  expect(screen.getByText("Please choose a time before the post expires")).toBeDefined();
  expect(present.pinned_until).toBeNull();
  await user.clear(field("In the widget through"));
  await user.type(field("In the widget through"), "2026-12-02");
  await user.tab();
  expect(field("In the widget through")).toHaveProperty("value", "2026-12-02");
  await user.clear(field("In the widget through"));
  await user.type(field("In the widget through"), "2026-12-31");
  await user.tab();
  expect(screen.queryByText(/before the post expires/)).toBeNull();
  expect([present.pinned_until, present.expires_at].map(lastDayOf)).toEqual(["2026-12-24", "2026-12-31"]);
});

test("the folded bar shows what is set, and a viewer sees no empty bar", async () => {
  const details = { ...noDetails, version: "2.0.0", component: "Server", breaking: true };
  const { rerender } = render(<ProductBar key="a" details={details} canWrite={false} onChange={() => {}} />);
  expect(screen.getByRole("button", { name: "Details Server 2.0.0 · Breaking change" })).toBeDefined();
  rerender(<ProductBar key="b" details={noDetails} canWrite={false} onChange={() => {}} />);
  expect(screen.queryByRole("button")).toBeNull();
});
