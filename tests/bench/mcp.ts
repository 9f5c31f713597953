/**
 * What a call of an assistant costs beside the query itself: the list of posts as a tool beside the same list at /api/v1 with the same key, in
 * turns, in both revisions of the protocol; and how much of it a model has to read. Usage: node tests/bench/mcp.ts [rounds]. Ends with 1 when a
 * figure misses its limit.
 */
import { apiKeyScopes } from "#contract/api-key-scopes.ts";
import { startStack } from "../support/stack.ts";
import { makeBenchPlace } from "./api/people.ts";
import { startPlain } from "./plain/start.ts";
import { inPairs, median, quantile, Report } from "./report.ts";

const rounds = Number(process.argv[2] ?? 5) * 100;
const limits = {
  /** 2 ms a call beside the query itself, where the plain program takes 1.1 to hear as much and say as much; the goal was 10 ms. */
  beside: 4,
  /** Reading the message, checking it and its answer by schema, writing the answer twice: as text and as data. */
  ratio: 1.5,
  /** The same, and what an older client needs around it: a stream of one event. */
  older: 1.6,
  /** Of the list of tools, which a model reads with each conversation. */
  bytes: 40_000,
};
const report = new Report();

/** Several ways to the same in turns, each first as often as last; after some rounds that count for nothing. */
async function inTurns(...ways: (() => Promise<unknown>)[]): Promise<number[][]> {
  const times: number[][] = ways.map(() => []);
  for (let round = -50; round < rounds; round++) {
    for (let turn = 0; turn < ways.length; turn++) {
      const which = (round + 50 + turn) % ways.length;
      const began = performance.now();
      await ways[which]!();
      if (round >= 0) times[which]!.push(performance.now() - began);
    }
  }
  return times;
}

const stack = await startStack({ env: { RATE_LIMIT_SCALE: "100000" } });
const { workspaceId, people } = await makeBenchPlace(stack, 1, 500);
const program = await startPlain(stack);
try {
  const ask = async (token: string, path: string, body?: object, more: Record<string, string> = {}): Promise<string> => {
    const headers = { authorization: `Bearer ${token}`, "content-type": "application/json", ...more };
    const answer = await fetch(stack.url + path, { method: body ? "POST" : "GET", headers, body: body && JSON.stringify(body) });
    const text = await answer.text();
    if (!answer.ok) throw new Error(`${path}: ${answer.status} ${text}`);
    return text;
  };
  const made = await ask(people[0]!.token, `/api/workspaces/${workspaceId}/keys`, { name: "Bench", scopes: apiKeyScopes });
  const { secret } = JSON.parse(made) as { secret: string };

  const accept = "application/json, text/event-stream";
  const older = (method: string, params: object) =>
    ask(secret, "/api/mcp", { jsonrpc: "2.0", id: 1, method, params }, { accept, "mcp-protocol-version": "2025-11-25" });
  const present = (method: string, params: { name?: string }) => {
    const _meta = {
      "io.modelcontextprotocol/protocolVersion": "2026-07-28",
      "io.modelcontextprotocol/clientInfo": { name: "bench", version: "1" },
      "io.modelcontextprotocol/clientCapabilities": {},
    };
    const said = { "mcp-protocol-version": "2026-07-28", "mcp-method": method, ...(params.name && { "mcp-name": params.name }) };
    return ask(secret, "/api/mcp", { jsonrpc: "2.0", id: 1, method, params: { ...params, _meta } }, { accept, ...said });
  };

  const list = { name: "list_posts", arguments: { limit: 20 } };
  const answers = [await present("tools/call", list), await older("tools/call", list)];
  if (answers.some((answer) => !answer.includes('"structuredContent"'))) throw new Error(`no list: ${answers.join("\n").slice(0, 500)}`);
  const call = JSON.stringify({ jsonrpc: "2.0", id: 1, method: "tools/call", params: list });
  const [asTool, asOlder, plain, none] = (await inTurns(
    () => present("tools/call", list),
    () => older("tools/call", list),
    () => ask(secret, "/api/v1/posts?limit=20"),
    async () => (await fetch(`${program.url}/bytes/200/${answers[0]!.length}`, { method: "POST", body: call })).text(),
  )) as [number[], number[], number[], number[]];
  for (const [figure, times, limit] of [
    ["list of 20 posts as a tool", asTool, limits.ratio],
    ["list of 20 posts as a tool, older client", asOlder, limits.older],
  ] as const) {
    report.compare(
      figure,
      inPairs(times, plain, "ms", "at /api/v1"),
      "at most",
      limit,
      `p95 ${quantile(times, 0.95).toFixed(1)} and ${quantile(plain, 0.95).toFixed(1)} ms`,
    );
  }
  report.compare(
    "what a tool adds to the call at /api/v1",
    inPairs(
      asTool.map((ms, round) => ms - plain[round]!),
      none,
      "ms",
      "plain program",
    ),
    "at most",
    limits.beside,
  );
  const [tools] = (await inTurns(() => present("tools/list", {}))) as [number[]];
  report.tell("list of the tools", median(tools), "ms");
  report.judge("list of the tools", (await present("tools/list", {})).length, "at most", limits.bytes, "bytes");
} finally {
  program.stop();
  await stack.stop();
}
report.end();
