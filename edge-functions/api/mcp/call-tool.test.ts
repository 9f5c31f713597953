import type { CallToolResult, ServerContext } from "@modelcontextprotocol/server";
import { expect, test } from "vitest";
import { apiKeyScopes } from "#contract/api-key-scopes.ts";
import { errorCatalogue, type ErrorCode } from "#contract/errors.ts";
import type { Database } from "../../_shared/clients.ts";
import type { Env } from "../../_shared/env.ts";
import { AppError } from "../../_shared/errors.ts";
import { callTool } from "./call-tool.ts";
import type { Message } from "./message.ts";
import { Questions } from "./questions.ts";

const env = { secretKey: "sb_secret_1", publicUrl: "https://tidings.example" } as Env;
const key = { id: "k-1", workspaceId: "w-1", scopes: apiKeyScopes, createdBy: "u-1" };
const context = { mcpReq: { requestState: () => undefined } } as unknown as ServerContext;

async function failing(thrown: unknown) {
  const faults: unknown[] = [];
  const message: Message = {
    ...{
      key,
      env,
      requestId: "r-1",
      request: new Request("https://tidings.example/api/mcp"),
      raw: new Uint8Array(),
      reply: { headers: {} },
    },
    db: { rpc: () => Promise.reject(thrown) } as unknown as Database,
  };
  const given = { isModern: true, context, questions: new Questions(env, key.id), fault: (fault: unknown) => faults.push(fault) };
  const answer = (await callTool(message, { name: "list_tags" }, given)) as CallToolResult;
  const [part] = answer.content;
  return { isError: answer.isError, text: part?.type === "text" ? part.text : "", faults, tool: message.reply.tool };
}

test("a fault hides internals and names the log entry", async () => {
  const fault = new Error('relation "private.secrets" does not exist at /srv/functions/x.ts:7');
  expect(await failing(fault)).toEqual({
    isError: true,
    text: "Something went wrong on our side. We don't know if the change was made. Read before you try again. For support: r-1",
    faults: [fault],
    tool: "list_tags",
  });
  expect(await failing(new AppError("internal", { cause: fault }))).toMatchObject({
    text: expect.stringContaining("r-1") as string,
    faults: [fault],
  });
});

test("a busy database asks to wait and is logged", async () => {
  const { text, faults } = await failing(new AppError("unavailable"));
  expect([text, faults.length]).toEqual([`${errorCatalogue.unavailable.sentence}\nNothing was done. Try again in a moment.`, 1]);
});

test("other refusals use their own message and aren't faults", async () => {
  const refusals = (Object.keys(errorCatalogue) as ErrorCode[]).filter((code) => errorCatalogue[code].status < 500);
  for (const code of refusals) {
    const { isError, text, faults } = await failing(new AppError(code));
    expect([code, isError, text.startsWith(errorCatalogue[code].sentence), faults]).toEqual([code, true, true, []]);
  }
});

test("a refusal says what to do", async () => {
  const conflict = { version: 7, updated_at: "2026-11-23T12:00:00.000Z", updated_by_name: "Edda Editor" };
  const stale = (await failing(new AppError("version_conflict", { conflict }))).text;
  expect(stale).toContain("Its version is now 7, saved at 2026-11-23T12:00:00.000Z.");
  expect(stale).toContain("Read it again with get_post");
  expect(stale).not.toContain("Edda");
  expect((await failing(new AppError("scope_missing", { scope: "posts:publish" }))).text).toContain("lacks the scope posts:publish.");
  expect((await failing(new AppError("rate_limited", { retryAfter: 2.4 }))).text).toContain("Try again in 3 seconds.");
  expect((await failing(new AppError("validation_failed", { fields: { title: "Title is required" } }))).text).toBe(
    "Nothing was done because of these arguments:\n- title: Title is required",
  );
});
