import { describe, expect, test } from "vitest";
import { boundsProblem } from "#contract/blocks/bounds.ts";
import { cleanBlocks, unlimited } from "#contract/blocks/clean.ts";
import { blockLimits } from "#contract/blocks/limits.ts";
import { fromEditor } from "../../web/features/editor/editor-content.ts";

const paragraph = (text: string) => ({ type: "paragraph", data: { text } });
const list = (items: unknown[], type = "list") => ({ type, data: { items } });
const table = (content: unknown[]) => ({ type: "table", data: { content } });
const nested = (depth: number): unknown[] => [{ content: "x", items: depth > 1 ? nested(depth - 1) : [] }];
const long = (blocks: number, each: number) => Array.from({ length: blocks }, () => paragraph("x".repeat(each)));

const { blocks, blockLength, listDepth, listItems, tableRows, tableColumns } = blockLimits;

const bounds: [string, unknown[], unknown[], string][] = [
  ["blocks", Array(blocks).fill(paragraph("x")), Array(blocks + 1).fill(paragraph("x")), "A post can have at most 1,000 blocks"],
  ["characters of a block", long(1, blockLength), long(1, blockLength + 1), "A block can have at most 50,000 characters"],
  ["characters of a post", long(6, blockLength), [...long(6, blockLength), paragraph("x")], "A post can have at most 300,000 characters"],
  ["items of a list", [list(Array(listItems).fill("x"))], [list(Array(listItems + 1).fill("x"))], "A list can have at most 1,000 items"],
  [
    "items of a list on all levels",
    [list([{ content: "x", items: Array(listItems - 1).fill({ content: "y" }) }])],
    [list([{ content: "x", items: Array(listItems).fill({ content: "y" }) }])],
    "A list can have at most 1,000 items",
  ],
  [
    "items of a checklist",
    [list(Array(listItems).fill({ text: "x" }), "checklist")],
    [list(Array(listItems + 1).fill({ text: "x" }), "checklist")],
    "A list can have at most 1,000 items",
  ],
  ["levels of a list", [list(nested(listDepth))], [list(nested(listDepth + 1))], "A list can have at most 8 levels"],
  [
    "rows of a table",
    [table(Array(tableRows).fill(["x"]))],
    [table(Array(tableRows + 1).fill(["x"]))],
    "A table can have at most 200 rows",
  ],
  [
    "columns of a table",
    [table([Array(tableColumns).fill("x")])],
    [table([Array(tableColumns + 1).fill("x")])],
    "A table can have at most 30 columns",
  ],
  [
    "items and cells of a post, those counted that fill rows up",
    [table([Array(tableColumns).fill("x"), ...Array(tableRows - 1).fill([])]), ...Array(4).fill(list(Array(listItems).fill("x")))],
    [table([Array(tableColumns).fill("x"), ...Array(tableRows - 1).fill([])]), ...Array(5).fill(list(Array(listItems).fill("x")))],
    "A post can have at most 10,000 list items and table cells",
  ],
];

describe("content over a limit is reported with the limit", () => {
  test.each(bounds)("%s", (_, most, more, sentence) => {
    expect(boundsProblem({ blocks: most })).toBeNull();
    expect(boundsProblem(most)).toBeNull();
    expect(boundsProblem({ blocks: more })).toBe(sentence);
    expect(boundsProblem(more)).toBe(sentence);
  });

  test("text in unknown blocks counts", () => {
    const hidden = { type: "embed", data: { deep: [{ deeper: ["x".repeat(blockLength + 1)] }] } };
    expect(boundsProblem([hidden])).toBe("A block can have at most 50,000 characters");
  });

  const beside = "b".repeat(blockLength);
  test.each([
    ["beside its data", { ...paragraph("x".repeat(1_000)), tunes: { a: [beside] } }],
    ["in the names of its fields", { type: "paragraph", data: { [beside.repeat(3)]: "" } }],
    ["and nothing else", beside.repeat(2)],
  ])("also of text that a block has %s", (_, block) => {
    expect(boundsProblem([block])).toBe("A block can have at most 50,000 characters");
  });

  test("text beside the blocks counts", () => {
    expect(boundsProblem({ blocks: [], more: { a: beside.repeat(5) } })).toBeNull();
    expect(boundsProblem({ blocks: [], more: { a: beside.repeat(7) } })).toBe("A post can have at most 300,000 characters");
  });

  test.each([null, undefined, 7, "x", {}, { blocks: 7 }, [null, 7, "x", {}, { type: "list" }, { type: "table", data: null }]])(
    "%j is within the limits",
    (content) => expect(boundsProblem(content)).toBeNull(),
  );

  test("a value nested 100,000 levels deep is measured", () => {
    let deep: unknown = "x";
    for (let depth = 0; depth < 100_000; depth++) deep = [deep];
    expect(boundsProblem([{ type: "paragraph", data: { text: deep } }])).toBeNull();
  });
});

describe("content within the limits is never truncated", () => {
  test.each(bounds.filter(([name]) => name !== "levels of a list"))("%s", (_, most, more) => {
    const text = (output: unknown): number => JSON.stringify(output).match(/[xy]/g)?.length ?? 0;
    expect(boundsProblem(fromEditor({ blocks: more } as never))).not.toBeNull();
    expect(text(fromEditor({ blocks: more } as never))).toBe(text(cleanBlocks(more, unlimited)));
    expect(text(fromEditor({ blocks: more } as never))).toBeGreaterThan(text(cleanBlocks(most)) - 1);
  });
});
