import { readdirSync } from "node:fs";
import { expect, test } from "vitest";
import type { WidgetData, WidgetPost } from "#contract/releases.ts";
import { helpFiles } from "./help-files.ts";

test("helpFiles emits every page of docs/using, and every release, as data of the widget", () => {
  const files = new Map<string, unknown>();
  const emitFile = ({ fileName, source }: { fileName: string; source: string }) => files.set(fileName, JSON.parse(source));
  (helpFiles().generateBundle as (this: object) => void).call({ emitFile });
  const posts = (name: string) => (files.get(`${name}/releases/widget.json`) as WidgetData).posts;
  const pages = readdirSync("docs/using").map((file) => file.replace(".md", ""));
  expect(posts("help").map(({ slug }) => slug)).toEqual(expect.arrayContaining(pages));
  expect(posts("news")[0]!.title).toMatch(/^Tidings \d/);
  for (const name of ["help", "news"]) {
    for (const { slug } of posts(name)) expect((files.get(`${name}/releases/${slug}.widget.json`) as WidgetPost).content).not.toEqual([]);
  }
});
