import { spawn } from "node:child_process";
import fs from "node:fs";
import net from "node:net";
import os from "node:os";
import path from "node:path";
import postgres from "postgres";
import { afterEach, describe, expect, test, vi } from "vitest";
import { cli, freePort, node, readyStack, run, type RunningStack, stackEnvironment, startStack, untilReady } from "../support/stack.ts";
import { newDataFolder } from "../support/template.ts";
import { familyOf, killAll9, processesOf, stillRunning } from "./support/processes.ts";

const folders: string[] = [];
const stacks: RunningStack[] = [];

afterEach(async () => {
  await Promise.all(stacks.splice(0).map((stack) => stack.stop()));
  for (const folder of folders.splice(0)) fs.rmSync(folder, { recursive: true, force: true });
});

function newFolder(): string {
  const folder = fs.mkdtempSync(path.join(os.tmpdir(), "tidings-starts-"));
  folders.push(folder);
  return folder;
}

async function usedFolder(): Promise<string> {
  const folder = await newDataFolder();
  folders.push(folder);
  return folder;
}

const unfinished = /^(?:initdb-password|postgres\.new|children\.json|stack\.json)$/;

async function start(dataDir: string): Promise<RunningStack> {
  const stack = await startStack({ dataDir });
  stacks.push(stack);
  return stack;
}

async function command(args: string[], env: Record<string, string>, input?: string): Promise<{ code: number | null; lines: string[] }> {
  const running = run(args, env);
  if (input !== undefined) running.write(input);
  const { code, output } = await running.ended;
  return { code, lines: output.trim().split("\n") };
}

describe("a start that can't work prints one sentence why and exits with an error", () => {
  test("when a running stack uses the folder", async () => {
    const dataDir = await usedFolder();
    const stack = await start(dataDir);
    const { code, lines } = await command(["start"], stackEnvironment(dataDir, await freePort()));
    expect([code, lines]).toEqual([
      1,
      [`Tidings is already running on ${dataDir} (process ${stack.pid}, ${stack.url}); "npm stop" stops it.`],
    ]);
    expect((await fetch(`${stack.url}/healthz`)).status).toBe(200);
    expect(fs.existsSync(path.join(dataDir, "stack.json"))).toBe(true);
    console.log("two stacks on one data folder: 1 refused, 1 goes on");
  });

  test.each(["PORT", "TIDINGS_METRICS_PORT"])("when the port of %s is taken", async (setting) => {
    const other = net.createServer();
    await new Promise<void>((resolve) => other.listen(0, "127.0.0.1", resolve));
    const { port } = other.address() as net.AddressInfo;
    const environment = { ...stackEnvironment(newFolder(), await freePort()), [setting]: String(port) };
    const { code, lines } = await command(["start"], environment);
    expect([code, lines]).toEqual([1, [`Port ${port} is in use by another program. Choose another one with ${setting}.`]]);
    await new Promise((resolve) => other.close(resolve));
  });

  test("when a file of the folder is broken or missing, and leaves it unchanged", async () => {
    const dataDir = await usedFolder();
    const at = (name: string) => path.join(dataDir, name);
    const refusal = async () => await command(["start"], stackEnvironment(dataDir, await freePort()));
    fs.writeFileSync(at("children.json"), "{}");
    const children = `${at("children.json")} isn't a list of processes. Make sure that no Postgres is running on this folder, then delete the file.`;
    for (const _ of [1, 2]) expect(await refusal()).toEqual({ code: 1, lines: [children] });
    fs.rmSync(at("children.json"));
    fs.writeFileSync(at("keys.json"), "{}");
    expect(await refusal()).toEqual({ code: 1, lines: [`The keys in ${at("keys.json")} are broken; put the file back from a backup.`] });
    expect(fs.readFileSync(at("keys.json"), "utf8")).toBe("{}");
  });

  test("when the folder isn't writable", async () => {
    const parent = newFolder();
    fs.writeFileSync(path.join(parent, "file"), "");
    const dataDir = path.join(parent, "file");
    const { code, lines } = await command(["start"], stackEnvironment(dataDir, await freePort()));
    expect([code, lines]).toEqual([
      1,
      [`Can't use the data folder ${dataDir} (it isn't a folder). Choose another one with TIDINGS_DATA_DIR.`],
    ]);
  });

  test.skipIf(process.getuid?.() !== 0)("when another user owns the folder", async () => {
    const dataDir = newFolder();
    const running = run(["start"], { ...stackEnvironment(dataDir, await freePort()), HOME: os.tmpdir() }, { uid: 65_534, gid: 65_534 });
    const { code, output } = await running.ended;
    expect([code, output.trim()]).toEqual([
      1,
      `Can't use the data folder ${dataDir} (no permission to write there). Choose another one with TIDINGS_DATA_DIR.`,
    ]);
  });

  test("when Node is too old", async () => {
    const pretend =
      "Object.defineProperty(process, 'versions', { value: { node: '20.19.0' } }); Object.defineProperty(process, 'version', { value: 'v20.19.0' })";
    const env = {
      ...stackEnvironment(newFolder(), await freePort()),
      NODE_OPTIONS: `--import="data:text/javascript,${encodeURIComponent(pretend)}"`,
    };
    const { code, lines } = await command(["start"], env);
    expect([code, lines]).toEqual([
      1,
      ['Tidings needs Node 24 or newer, and this is v20.19.0; "npm start" uses the Node that "npm ci" installed here.'],
    ]);
  });

  test.each([
    [{ PORT: "http" }, 'PORT must be a number from 1 to 65535, not "http".'],
    [{ PORT: "70000" }, 'PORT must be a number from 1 to 65535, not "70000".'],
    [{ TIDINGS_SEED: "everything" }, 'TIDINGS_SEED must be demo or none, not "everything".'],
  ])("when a setting is invalid: %o", async (knob, sentence) => {
    const { code, lines } = await command(["start"], { ...stackEnvironment(newFolder(), 3_000), ...knob });
    expect([code, lines]).toEqual([1, [sentence]]);
  });
});

describe("stopping", () => {
  test.each(["SIGTERM", "SIGINT", "SIGHUP", "npm stop"] as const)("by %s leaves no process and no stack.json", async (way) => {
    const dataDir = await usedFolder();
    const stack = await start(dataDir);
    const processes = processesOf(stack);
    if (way === "npm stop")
      expect(await command(["stop"], { TIDINGS_DATA_DIR: dataDir })).toEqual({ code: 0, lines: ["Tidings has stopped."] });
    else process.kill(stack.pid, way);
    expect(await stillRunning(processes, 5_000)).toEqual([]);
    expect(fs.existsSync(path.join(dataDir, "stack.json"))).toBe(false);
    expect(fs.existsSync(path.join(dataDir, "postgres/postmaster.pid"))).toBe(false);
  });

  test("by Ctrl+C, which reaches the whole group, is quiet and leaves the same", async () => {
    const dataDir = await usedFolder();
    const running = run(["start"], stackEnvironment(dataDir, await freePort()), { detached: true }); // its own process group, as in a terminal
    const processes = processesOf(await untilReady(dataDir, running));
    process.kill(-running.pid, "SIGINT");
    const { code, output } = await running.ended;
    expect(code).toBe(0);
    expect(output).not.toContain("ended");
    expect(await stillRunning(processes, 10_000)).toEqual([]);
  });

  test("happens when npm's shell is killed", async () => {
    const dataDir = await usedFolder();
    const env = { ...process.env, ...stackEnvironment(dataDir, await freePort()) };
    const shell = spawn("sh", ["-c", `"${node}" "${cli}" start; true`], { env, stdio: "ignore" });
    const stack = await readyStack(dataDir);
    const processes = processesOf(stack);
    expect(stack.pids.supervisor).not.toBe(shell.pid);
    shell.kill("SIGKILL");
    expect(await stillRunning(processes, 10_000)).toEqual([]);
  });

  test("during the first start is quiet, and the next start completes it", async () => {
    const dataDir = newFolder();
    const there = (name: string) => fs.existsSync(path.join(dataDir, name));
    const ready = () => there("logs/postgres.log") && fs.readFileSync(path.join(dataDir, "logs/postgres.log"), "utf8").includes("ready to");
    const moments: [string, () => boolean, number][] = [
      ["the password is written", () => there("initdb-password"), 0],
      ["initdb works", () => there("logs/postgres.log"), 300],
      ["the cluster is made", () => there("postgres"), 0],
      ["Postgres starts", () => there("postgres/postmaster.pid"), 0],
      ["Postgres is ready", ready, 0],
      ["the schema is made", ready, 200],
    ];
    for (const [moment, reached, later] of moments) {
      fs.rmSync(dataDir, { recursive: true });
      const running = run(["start"], { ...stackEnvironment(dataDir, await freePort()), TIDINGS_FAST: "0" });
      await vi.waitFor(() => expect([moment, reached()]).toEqual([moment, true]), { timeout: 30_000, interval: 2 });
      await new Promise((resolve) => setTimeout(resolve, later));
      const processes = familyOf(running.pid);
      running.signal("SIGTERM");
      const { code, output } = await running.ended;
      expect([moment, code, output.replace(/^\s+Tidings \S+ is running at http[\s\S]*/, "")]).toEqual([moment, 0, ""]);
      expect([moment, await stillRunning(processes, 1_000)]).toEqual([moment, []]);
      expect([moment, fs.readdirSync(dataDir).filter((name) => unfinished.test(name))]).toEqual([moment, []]);
    }
    const stack = await start(dataDir);
    expect((await fetch(`${stack.url}/healthz`)).status).toBe(200);
    console.log(`stopped at ${moments.length} moments of the first start: 0 processes, 0 passwords left`);
  });

  test("by kill -9 allows a start after another program got Postgres' pid, as in a new container", async () => {
    const dataDir = await usedFolder();
    const first = await startStack({ dataDir });
    await first.stop();
    const { uid, gid } = fs.statSync(path.join(dataDir, "postgres"));
    const other = spawn("sleep", ["120"], { uid, gid, stdio: "ignore" });
    const lock = path.join(dataDir, "postgres/postmaster.pid");
    fs.writeFileSync(lock, `${other.pid}\n${path.join(dataDir, "postgres")}\n`, { mode: 0o600 });
    fs.chownSync(lock, uid, gid);
    const stack = await start(dataDir);
    expect((await fetch(`${stack.url}/healthz`)).status).toBe(200);
    other.kill();
  });

  test("by kill -9 during initdb doesn't block the next start", async () => {
    const dataDir = newFolder();
    const running = run(["start"], stackEnvironment(dataDir, await freePort()));
    const halfMade = () => fs.readdirSync(dataDir, { recursive: true, encoding: "utf8" }).some((name) => name.endsWith("PG_VERSION"));
    await vi.waitFor(() => expect(halfMade()).toBe(true), { timeout: 30_000, interval: 2 });
    killAll9(familyOf(running.pid));
    await running.ended;
    const stack = await start(dataDir);
    expect((await fetch(`${stack.url}/healthz`)).status).toBe(200);
    expect(fs.readdirSync(dataDir).filter((name) => /^(?:initdb-password|postgres\.new)$/.test(name))).toEqual([]);
  });

  test("reports a stack that isn't running", async () => {
    const dataDir = newFolder();
    expect(await command(["stop"], { TIDINGS_DATA_DIR: dataDir })).toEqual({ code: 0, lines: [`Tidings isn't running on ${dataDir}.`] });
  });

  test("ends the leftovers of a killed supervisor", async () => {
    const dataDir = await usedFolder();
    const stack = await start(dataDir);
    const processes = processesOf(stack);
    process.kill(stack.pid, "SIGKILL");
    expect(await command(["stop"], { TIDINGS_DATA_DIR: dataDir })).toEqual({
      code: 0,
      lines: ["Tidings wasn't running. Leftover processes of an earlier run were stopped."],
    });
    expect(await stillRunning(processes, 1_000)).toEqual([]);
  });
});

describe("secrets", () => {
  test("are readable by the owner only, and differ between folders", async () => {
    const [one, other] = await Promise.all([start(newFolder()), start(newFolder())]);
    expect(one.jwtSecret).not.toBe(other.jwtSecret);
    expect(one.dbUrl.split("@")[0]).not.toBe(other.dbUrl.split("@")[0]);
    for (const file of ["keys.json", "stack.json", "children.json", "supervisor.lock"]) {
      expect([file, fs.statSync(path.join(one.dataDir, file)).mode & 0o777]).toEqual([file, 0o600]);
    }
    for (const folder of ["mail", "logs", "postgres"])
      expect([folder, fs.statSync(path.join(one.dataDir, folder)).mode & 0o777]).toEqual([folder, 0o700]);
  });

  test("stay the same after a restart, like all data", async () => {
    const dataDir = newFolder();
    const first = await start(dataDir);
    await fetch(`${first.url}/auth/v1/signup`, {
      method: "POST",
      headers: { apikey: first.publishableKey },
      body: JSON.stringify({ email: "ann@example.com", password: "correct horse" }),
    });
    const mails = await (await fetch(`${first.url}/dev/mail.json`)).json();
    await stacks.pop()?.stop();
    const second = await start(dataDir);
    expect([second.jwtSecret, second.publishableKey, second.secretKey]).toEqual([first.jwtSecret, first.publishableKey, first.secretKey]);
    expect(mails).toHaveLength(1);
    expect(await (await fetch(`${second.url}/dev/mail.json`)).json()).toEqual(mails);
  });
});

test("a restart keeps privileges revoked that a migration revoked from API roles", async () => {
  const dataDir = newFolder();
  const defaults = async ({ dbUrl }: RunningStack) => {
    const sql = postgres(dbUrl, { max: 1, onnotice: () => {} });
    const rows =
      await sql`select defaclrole::regrole::text, defaclnamespace::regnamespace::text, defaclobjtype, defaclacl::text from pg_default_acl order by 1, 2, 3`;
    await sql.end();
    return rows.map((row) => Object.values(row).join(" "));
  };
  const before = await defaults(await start(dataDir));
  await stacks.pop()?.stop();
  expect(await defaults(await start(dataDir))).toEqual(before);
});

describe("reset", () => {
  test("refuses while the stack runs", async () => {
    const dataDir = await usedFolder();
    await start(dataDir);
    const { code, lines } = await command(["reset", "--yes"], { TIDINGS_DATA_DIR: dataDir });
    expect([code, lines]).toEqual([1, [`Tidings is running on ${dataDir}. Run "npm stop" first.`]]);
  });

  test("deletes after yes and keeps the data after any other answer", async () => {
    const dataDir = await usedFolder();
    await start(dataDir);
    await stacks.pop()?.stop();
    for (const answer of ["no\n", "\n", "y\n"]) {
      const { lines } = await command(["reset"], { TIDINGS_DATA_DIR: dataDir }, answer);
      expect(lines.join(" ")).toContain("Nothing was deleted.");
    }
    expect(fs.existsSync(path.join(dataDir, "keys.json"))).toBe(true);
    await command(["reset"], { TIDINGS_DATA_DIR: dataDir }, "yes\n");
    expect(fs.existsSync(dataDir)).toBe(false);
  });

  test("keeps a folder that isn't a data folder", async () => {
    const folder = newFolder();
    fs.writeFileSync(path.join(folder, "thesis.txt"), "years of work");
    const { code, lines } = await command(["reset", "--yes"], { TIDINGS_DATA_DIR: folder });
    expect([code, lines]).toEqual([1, [`${folder} doesn't look like a data folder of Tidings, so nothing was deleted.`]]);
    expect(fs.existsSync(path.join(folder, "thesis.txt"))).toBe(true);
  });
});
