import { render, screen, within } from "@testing-library/react";
import userEvent from "@testing-library/user-event";
import { expect, test } from "vitest";
import { fullPost } from "../../../../tests/support/web/posts-support.ts";
import { stubApi } from "../../../../tests/support/web/stub-api.ts";
import { RequestsBar } from "./requests-bar.tsx";

const [linear, github] = ["https://linear.app/acme/issue/ENG-12", "https://github.com/acme/app/issues/12"];

test("requests are linked and removed, and other sites are refused", async () => {
  const answers = [[linear, github], [github]];
  const api = stubApi({ "POST /api/posts/*/requests": () => ({ requests: answers.shift() }) });
  const user = userEvent.setup();
  render(<RequestsBar post={fullPost({ requests: [linear] })} canWrite />);
  await user.click(screen.getByRole("button", { name: "Linked requests ENG-12" }));
  const field = () => screen.findByRole("textbox", { name: "Link request" });
  await user.type(await field(), "https://example.com/issues/1{Enter}");
  expect(await screen.findByText(/Enter the URL of an issue in Linear, Jira or GitHub/)).toBeDefined();
  await user.clear(await field());
  await user.type(await field(), `${github}{Enter}`);
  const link = await screen.findByRole("link", { name: /acme\/app#12/ });
  expect(link.getAttribute("href")).toBe(github);
  await user.click(screen.getByRole("button", { name: "Remove ENG-12" }));
  await screen.findByRole("link", { name: /acme\/app#12/ });
  expect(within(screen.getByRole("list")).getAllByRole("listitem")).toHaveLength(1);
  expect(api.to("POST /api/posts/*/requests")).toMatchObject([{ body: { add: [github] } }, { body: { remove: [linear] } }]);
});

test("a viewer sees links and no field, or nothing", () => {
  const { rerender } = render(<RequestsBar key="a" post={fullPost()} canWrite={false} />);
  expect(screen.queryByRole("button")).toBeNull();
  rerender(<RequestsBar key="b" post={fullPost({ requests: [linear] })} canWrite={false} />);
  expect(screen.getByRole("button", { name: "Linked requests ENG-12" })).toBeDefined();
});
