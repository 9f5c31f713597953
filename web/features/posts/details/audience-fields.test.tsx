import { render, screen, within } from "@testing-library/react";
import userEvent from "@testing-library/user-event";
import { useEffect, useState } from "react";
import { expect, test } from "vitest";
import type { Audience, AudienceRule } from "#contract/rules/audience.ts";
import { noDetails } from "#contract/rules/post-details.ts";
import { ProductBar } from "./product-bar.tsx";
import { audienceWords, rowsOf, ruleOf } from "./audience-rows.ts";

let present: Audience | null = null;
function Post({ audience = null, canWrite = true }: { audience?: Audience | null; canWrite?: boolean }) {
  const [details, setDetails] = useState({ ...noDetails, audience });
  useEffect(() => void (present = details.audience), [details]);
  return <ProductBar details={details} canWrite={canWrite} onChange={setDetails} />;
}
const open = async () => {
  const user = userEvent.setup();
  await user.click(screen.getByRole("button", { name: /^Details/ }));
  return user;
};
const condition = (number: number) => within(screen.getByRole("group", { name: `Condition ${number}` }));

test("a post is for everyone, the team, or readers who match valid conditions", async () => {
  render(<Post />);
  const user = await open();
  await user.click(screen.getByRole("radio", { name: "Team only" }));
  expect(present).toBe("internal");
  await user.click(screen.getByRole("radio", { name: "Some readers" }));
  expect([present, screen.queryByText("Please enter an attribute")]).toEqual(["internal", null]);
  await user.type(condition(1).getByLabelText("Attribute"), "plan");
  await user.tab();
  expect([present, screen.getByText("Please enter a value").textContent]).toEqual(["internal", "Please enter a value"]);
  await user.type(condition(1).getByLabelText("Value"), "pro");
  expect(present).toEqual({ attribute: "plan", eq: "pro" });
  await user.click(screen.getByRole("button", { name: "Add condition" }));
  expect(present).toBe("internal");
  await user.type(condition(2).getByLabelText("Attribute"), "seats");
  await user.selectOptions(condition(2).getByLabelText("Condition"), "is at least");
  await user.type(condition(2).getByLabelText("Value"), "10");
  await user.selectOptions(screen.getByLabelText("Readers match"), "one of the conditions");
  expect(present).toEqual({
    any: [
      { attribute: "plan", eq: "pro" },
      { attribute: "seats", gte: 10 },
    ],
  });
  await user.click(screen.getByRole("button", { name: "Remove condition 1" }));
  expect(present).toEqual({ attribute: "seats", gte: 10 });
  await user.click(screen.getByRole("radio", { name: "Everyone" }));
  expect(present).toBeNull();
});

test("a rule with groups is shown, and readable without rights", async () => {
  const rule: AudienceRule = {
    all: [
      { attribute: "plan", in: ["pro", "team"] },
      {
        any: [
          { attribute: "seats", gte: 10 },
          { attribute: "beta", exists: true },
        ],
      },
    ],
  };
  render(<Post audience={rule} canWrite={false} />);
  expect(screen.getByText("Readers whose plan is one of pro, team and (seats is at least 10 or beta is set)")).toBeDefined();
  await open();
  expect(screen.getByText(/A program set this rule/)).toBeDefined();
});

test.each<AudienceRule>([
  { attribute: "plan", eq: "12" },
  { attribute: "plan", eq: "true" },
  { attribute: "plan", eq: "" },
  { attribute: "beta", eq: true },
  { attribute: "n", in: [1, "1", "a"] },
  { attribute: "since", gte: "2026-01-31" },
  { attribute: "region", starts: " eu" },
  {
    any: [
      { attribute: "a", exists: true },
      { attribute: "b", exists: false },
    ],
  },
])("%j is the same after editing, or isn't editable", (rule) => {
  const rows = rowsOf(rule);
  expect(rows === null ? rule : ruleOf(rows)).toEqual(rule);
  expect(audienceWords(rule)).toMatch(/^Readers whose /);
});
