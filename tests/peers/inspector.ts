import { spawn } from "node:child_process";
import { mkdirSync } from "node:fs";
import path from "node:path";
import { tools } from "#contract/mcp/tools.ts";
import type { StackFile } from "../support/stack.ts";
import { newSession } from "./session.ts";

const version = "2.12.0";

interface Ended {
  code: number | null;
  out: string;
  err: string;
}

function ended(command: string, args: readonly string[], env: Record<string, string> = {}): Promise<Ended> {
  const child = spawn(command, args, { env: { ...process.env, ...env }, stdio: ["ignore", "pipe", "pipe"] });
  let [out, err] = ["", ""];
  child.stdout.on("data", (chunk: Buffer) => (out += chunk.toString()));
  child.stderr.on("data", (chunk: Buffer) => (err += chunk.toString()));
  return new Promise((resolve) => {
    child.once("error", (error) => resolve({ code: null, out, err: String(error) }));
    child.once("close", (code) => resolve({ code, out, err }));
  });
}

export async function fetchInspector(cache: string): Promise<{ program: string } | string> {
  const [major = 0, minor = 0] = process.versions.node.split(".").map(Number);
  if (major < 22 || (major === 22 && minor < 19)) return "The inspector needs Node 22.19.";
  const folder = path.join(cache, `inspector-${version}`);
  const program = path.join(folder, "node_modules/.bin/mcp-inspector");
  if ((await ended(program, ["--cli", "--help"])).code === 0) return { program };
  mkdirSync(folder, { recursive: true });
  const install = ["install", "--prefix", folder, "--no-audit", "--no-fund", `@modelcontextprotocol/inspector@${version}`];
  return (await ended("npm", install)).code === 0 ? { program } : "Couldn't install the inspector.";
}

interface Shown {
  tools?: { name: string }[];
  isError?: boolean;
  content?: { text: string }[];
  structuredContent?: Record<string, unknown>;
}

export async function inspect(program: string, stack: StackFile): Promise<boolean> {
  const { token, workspaceId } = await newSession(stack);
  const call = async (method: "POST" | "PUT", address: string, body: object) => {
    const headers = { authorization: `Bearer ${token}`, "content-type": "application/json" };
    const answer = await fetch(stack.url + address, { method, headers, body: JSON.stringify(body) });
    if (!answer.ok) throw new Error(`${address} answers ${answer.status}`);
    return (await answer.json()) as { secret: string };
  };
  const key = await call("POST", `/api/workspaces/${workspaceId}/keys`, { name: "Inspector", scopes: ["posts:read", "posts:write"] });
  await call("PUT", `/api/workspaces/${workspaceId}/house-style`, { text: "Be brief." });

  const faults: string[] = [];
  const expect = (what: string, isSo: boolean, { out, err }: Ended) => {
    console.log(`${isSo ? "✓" : "✗"} ${what}`);
    if (!isSo) faults.push(`${what}\n${out}\n${err}`);
  };
  const asked = ["--cli", `${stack.publicUrl}/api/mcp`, "--transport", "http", "--format", "json"];
  const ask = (era: string, secret: string | undefined, ...args: string[]) =>
    ended(program, [
      ...[...asked, "--protocol-era", era, ...args],
      ...(secret === undefined ? ["--stored-auth-only"] : ["--header", `Authorization: Bearer ${secret}`]),
    ]);

  for (const era of ["legacy", "auto", "modern"]) {
    const use = (name: string, args: object = {}) =>
      ask(era, key.secret, "--method", "tools/call", "--tool-name", name, "--tool-args-json", JSON.stringify(args));
    const list = await ask(era, key.secret, "--method", "tools/list", "--strict");
    const names = (shown(list).tools ?? []).map(({ name }) => name);
    expect(
      `${era}: the tools of the contract, in its order, and no schema that a client may refuse`,
      list.code === 0 && !list.err.includes("Warning: tool") && names.join() === Object.keys(tools).join(),
      list,
    );
    const context = await use("release_notes_context");
    expect(`${era}: the house style`, shown(context).structuredContent?.["house_style"] === "Be brief.", context);
    const draft = await use("create_draft", { title: `Faster search ${era}`, markdown: "Search answers **twice as fast**." });
    const made = shown(draft).structuredContent?.["post"] as { status?: string } | undefined;
    expect(`${era}: a draft`, made?.status === "draft", draft);
    const stats = await use("get_stats");
    const said = shown(stats);
    expect(`${era}: the scope that is missing`, said.isError === true && (said.content?.[0]?.text.includes("stats:read") ?? false), stats);
    const nobody = await ask(era, undefined, "--method", "tools/list");
    expect(`${era}: nothing without a key`, nobody.code !== 0 && nobody.err.includes("auth"), nobody);
  }
  for (const fault of faults) console.log(`\n${fault}`);
  return faults.length === 0;
}

function shown({ out }: Ended): Shown {
  try {
    const said = JSON.parse(out) as Shown & { result?: Shown };
    return said.result ?? said;
  } catch {
    return {};
  }
}
