import { render } from "@testing-library/react";
import { expect, test } from "vitest";
import { PageLoading } from "../ui/page-loading.tsx";

test("the shell stays while placeholders replace each other, and is gone with the first page", async () => {
  document.body.append(Object.assign(document.createElement("div"), { id: "shell" }));
  const shell = () => document.getElementById("shell");
  const { rerender } = render(<PageLoading key="route" />);
  rerender(<PageLoading key="profile" />);
  await Promise.resolve();
  expect(shell()).not.toBeNull();
  rerender(<h1>Dashboard</h1>);
  await Promise.resolve();
  expect(shell()).toBeNull();
});
