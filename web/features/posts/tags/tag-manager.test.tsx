import { render, screen } from "@testing-library/react";
import userEvent from "@testing-library/user-event";
import { SWRConfig } from "swr";
import { expect, test } from "vitest";
import { defaultTags } from "#contract/tags.ts";
import { ids } from "../../../../tests/support/web/fixtures.ts";
import { stubApi } from "../../../../tests/support/web/stub-api.ts";
import { TagManager } from "./tag-manager.tsx";

async function open(count: number) {
  const own = Array.from({ length: count }, (_, at) => ({ key: `tag-${at + 1}`, label: `Tag ${at + 1}`, colour: "blue" }));
  const tags = [...defaultTags, ...own.toSorted((one, other) => one.key.localeCompare(other.key))];
  stubApi({ "GET /api/workspaces/*/tags": { tags, carried: [], former: {} } });
  render(
    <SWRConfig value={{ provider: () => new Map() }}>
      <TagManager workspaceId={ids.acme} canWrite onClose={() => undefined} />
    </SWRConfig>,
  );
  await screen.findByRole("list", { name: "Tags" });
}
const names = () => {
  const rows = screen.queryAllByRole("listitem").map(({ textContent }) => textContent);
  return rows.map((row) => row.replace(/0 posts.*/, ""));
};

test("tags stand in the order of their numbers; more than a dozen are searched", async () => {
  await open(11);
  expect(names()).toEqual(["Feature", "Improvement", "Fix", "Documentation", ...Array.from({ length: 11 }, (_, at) => `Tag ${at + 1}`)]);
  const search = screen.getByRole("searchbox", { name: "Search tags" });
  await userEvent.type(search, "tAG 1");
  expect(names()).toEqual(["Tag 1", "Tag 10", "Tag 11"]);
  await userEvent.type(search, "x");
  expect(names()).toEqual([]);
  screen.getByText("No tags found");
});

test("a dozen are not", async () => {
  await open(8);
  expect(screen.queryByRole("searchbox")).toBeNull();
});
