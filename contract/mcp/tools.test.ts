import { expect, test } from "vitest";
import { apiKeyScopes } from "#contract/api-key-scopes.ts";
import { summaryMaxLength } from "#contract/limits.ts";
import { describedTools } from "#contract/mcp/described.ts";
import { type Tool, toolNames, tools } from "#contract/mcp/tools.ts";

const all: Tool[] = Object.values(tools);

test("the tools are those of the design, in its order", () => {
  expect(toolNames).toEqual([
    ...["list_posts", "get_post", "search_public", "list_tags", "create_draft", "update_draft", "propose_change", "request_review"],
    ...["schedule", "publish", "upload_image", "get_stats", "release_notes_context"],
  ]);
  expect(all.map(({ name }) => name)).toEqual(toolNames);
});

test("every tool and each input field has a description", () => {
  for (const { name, title, description, inputSchema, outputSchema } of describedTools()) {
    expect([title, description, inputSchema.type, outputSchema.type], name).toEqual([
      expect.stringMatching(/^[A-Z]/),
      expect.stringMatching(/^[A-Z].*\.$/),
      "object",
      "object",
    ]);
    expect(inputSchema["additionalProperties"], name).toBe(false);
    for (const [field, schema] of Object.entries(inputSchema["properties"] as Record<string, { description?: string }>))
      expect(schema.description, `${name}.${field}`).toMatch(/\w/);
  }
});

test("no schema has a list of types, which some clients reject", () => {
  const lists: string[] = [];
  const look = (value: unknown, path: string): void => {
    if (typeof value !== "object" || value === null) return;
    for (const [name, inner] of Object.entries(value)) {
      if (name === "type" && Array.isArray(inner)) lists.push(path);
      look(inner, `${path}.${name}`);
    }
  };
  look(describedTools(), "tools");
  expect(lists).toEqual([]);
  const summary = (describedTools().find(({ name }) => name === "create_draft")!.inputSchema["properties"] as Record<string, unknown>)[
    "summary"
  ];
  expect(summary).toEqual({
    description: expect.any(String) as string,
    anyOf: [{ type: "string", maxLength: summaryMaxLength }, { type: "null" }],
  });
});

test("the tool list is byte-identical on every call and short enough for a model", () => {
  const once = JSON.stringify(describedTools());
  for (let times = 0; times < 100; times++) expect(JSON.stringify(describedTools())).toBe(once);
  expect(once.length).toBeLessThan(40_000);
});

test("changes require the version that was read; only publishing and replacing text are marked destructive", () => {
  const names = (those: readonly Tool[]) => those.map(({ name }) => name);
  const writing = all.filter(({ annotations }) => !annotations.readOnlyHint);
  expect(names(writing)).toEqual([
    "create_draft",
    "update_draft",
    "propose_change",
    "request_review",
    "schedule",
    "publish",
    "upload_image",
  ]);
  const versioned = all.filter(({ input }) => "expected_version" in (input as unknown as { shape: object }).shape);
  expect(names(versioned)).toEqual(["update_draft", "propose_change", "request_review", "schedule", "publish"]);
  expect(names(all.filter(({ annotations }) => annotations.destructiveHint))).toEqual(["update_draft", "schedule", "publish"]);
});

test("the scopes are those of keys", () => {
  for (const { scopes } of all) expect(apiKeyScopes).toEqual(expect.arrayContaining([...scopes]));
});
