import type { ServerContext } from "@modelcontextprotocol/server";
import { afterEach, describe, expect, test, vi } from "vitest";
import type { Env } from "../../_shared/env.ts";
import { Questions, Unanswered } from "./questions.ts";

const env = { secretKey: "sb_secret_1" } as Env;
const question = { message: "Publish “Faster search”?", yes: "Publish now" };
const input = { id: "p-1", expected_version: 3 };

const context = (state?: unknown, answer?: unknown) =>
  ({ mcpReq: { requestState: () => state, inputResponses: answer === undefined ? undefined : { answer } } }) as unknown as ServerContext;
const accepted = { action: "accept", content: { confirm: true } };

async function asked(questions: Questions, tool = "publish", given: object = input, about?: string) {
  const thrown: unknown = await questions.ask(tool, given, { ...question, about }, context()).catch((error: unknown) => error);
  if (!(thrown instanceof Unanswered)) throw thrown;
  return thrown.result;
}
const stateOf = async (questions: Questions, ...more: [tool?: string, given?: object, about?: string]) =>
  (await asked(questions, ...more)).requestState!;

afterEach(() => vi.useRealTimers());

describe("a question", () => {
  test("ends the call with a form that has one unticked checkbox", async () => {
    expect((await asked(new Questions(env, "k-1"))).inputRequests).toEqual({
      answer: {
        method: "elicitation/create",
        params: expect.objectContaining({
          message: question.message,
          requestedSchema: {
            type: "object",
            properties: { confirm: { type: "boolean", title: "Publish now", default: false } },
            required: ["confirm"],
          },
        }) as object,
      },
    });
  });

  test.each([
    ["the box is ticked", accepted, "yes"],
    ["the form is sent without the tick", { action: "accept", content: { confirm: false } }, "no"],
    ["the form is sent with something else", { action: "accept", content: { confirm: "true" } }, "no"],
    ["the form is sent empty", { action: "accept" }, "no"],
    ["it is declined", { action: "decline" }, "no"],
    ["it is closed", { action: "cancel" }, "no"],
  ])("is answered when %s", async (_, answer, said) => {
    const questions = new Questions(env, "k-1");
    const state = await questions.verify(await stateOf(questions), context());
    expect(await questions.ask("publish", input, question, context(state, answer))).toBe(said);
  });
});

describe("a yes", () => {
  const answered = async (state: unknown, tool = "publish", given: object = input, about?: string) =>
    await new Questions(env, "k-1").ask(tool, given, { ...question, about }, context(state, accepted));

  test("applies only to what was asked: other tools, arguments or circumstances ask again", async () => {
    const questions = new Questions(env, "k-1");
    const state = await questions.verify(await stateOf(questions), context());
    expect(await answered(state)).toBe("yes");
    const others: [tool: string, given?: object, about?: string][] = [
      ["schedule"],
      ["publish", { ...input, expected_version: 4 }],
      ["publish", { ...input, id: "p-2" }],
      ["publish", input, "the page is open"],
    ];
    for (const other of others) await expect(answered(state, ...other)).rejects.toBeInstanceOf(Unanswered);
  });

  test("without a question is ignored", async () => {
    for (const state of [undefined, "yes", {}, { tool: "publish" }, { tool: "publish", about: "" }])
      await expect(answered(state)).rejects.toBeInstanceOf(Unanswered);
  });
});

describe("the signed state", () => {
  test("is accepted unchanged from its own key only", async () => {
    const state = await stateOf(new Questions(env, "k-1"));
    const verified = (questions: Questions, given = state) => questions.verify(given, context());
    expect(await verified(new Questions(env, "k-1"))).toMatchObject({ tool: "publish" });
    await expect(verified(new Questions(env, "k-2"))).rejects.toThrow("bind");
    await expect(verified(new Questions({ secretKey: "sb_secret_2" } as Env, "k-1"))).rejects.toThrow("mac");
    const [version, body, mac] = state.split(".");
    const forged = Buffer.from(JSON.stringify({ ...(JSON.parse(Buffer.from(body!, "base64url").toString()) as object), p: {} })).toString(
      "base64url",
    );
    await expect(verified(new Questions(env, "k-1"), `${version}.${forged}.${mac}`)).rejects.toThrow("mac");
    for (const nothing of ["", "v1", "v1.x", "v1..", `${state}x`])
      await expect(verified(new Questions(env, "k-1"), nothing)).rejects.toThrow();
  });

  test("expires after ten minutes", async () => {
    vi.useFakeTimers({ toFake: ["Date"], now: Date.parse("2026-11-23T12:00:00Z") });
    const questions = new Questions(env, "k-1");
    const state = await stateOf(questions);
    vi.setSystemTime(Date.parse("2026-11-23T12:10:00Z"));
    await questions.verify(state, context());
    vi.setSystemTime(Date.parse("2026-11-23T12:10:01Z"));
    await expect(questions.verify(state, context())).rejects.toThrow("expired");
  });

  test("doesn't reveal the post to its holder", async () => {
    const [, body] = (await stateOf(new Questions(env, "k-1"), "publish", { id: "p-secret" })).split(".");
    expect(Buffer.from(body!, "base64url").toString()).not.toMatch(/p-secret|k-1|Faster/);
  });
});
