import { spawn } from "node:child_process";
import fs from "node:fs";
import os from "node:os";
import path from "node:path";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { freePort, run, type StackFile, stackEnvironment, untilReady } from "../support/stack.ts";
import { filesOf, rowsOf } from "./support/contents.ts";
import { storeImage } from "./support/images.ts";
import { lost, makePlace, startWriters } from "./support/writers.ts";

const root = path.resolve(import.meta.dirname, "../..");
const read = (file: string): string => fs.readFileSync(path.join(root, file), "utf8");
const unit = read("deploy/tidings.service");
const serviceUser = 65_534;
const folder = fs.mkdtempSync(path.join(os.tmpdir(), "tidings-installed-"));

const inPlace = (text: string): string =>
  text
    .replaceAll(/\/(?=var\/(?:lib|cache)\/|backups\b)/g, `${folder}/`)
    .replaceAll("/opt/tidings", root)
    .replaceAll("-o tidings -g tidings", `-o ${serviceUser} -g ${serviceUser}`);

const settingsOf = (lines: string): Record<string, string> =>
  Object.fromEntries([...lines.matchAll(/^(?:Environment=)?([A-Z_]+)=(.*)$/gm)].map(([, name, value]) => [name!, inPlace(value!)]));
const { TIDINGS_DATA_DIR: dataDir = "" } = settingsOf(read("deploy/.env.example"));

const commandsBelow = (heading: string): string[] => {
  const section = read("docs/operations.md").split(`\n## ${heading}\n`)[1]!.split("\n## ")[0]!;
  return [...section.matchAll(/```sh\n([\s\S]*?)```/g)].map(([, commands]) => inPlace(commands!));
};

interface Installed extends StackFile {
  stop(): Promise<void>;
}

/** Simulates systemd: creates the folders, then runs ExecStart as the service's user. */
async function startService(): Promise<Installed> {
  for (const [, kind, name] of unit.matchAll(/^(State|Cache)Directory=(.+)$/gm)) {
    const made = path.join(folder, "var", kind === "State" ? "lib" : "cache", name!);
    if (fs.existsSync(made)) continue;
    fs.mkdirSync(made, { mode: 0o700 });
    fs.chownSync(made, serviceUser, serviceUser);
  }
  const env = {
    ...stackEnvironment(dataDir, await freePort()),
    ...settingsOf(unit),
    TIDINGS_PUBLIC_URL: "https://tidings.example",
    HOME: root,
  };
  const running = run(["serve"], env, { uid: serviceUser, gid: serviceUser });
  const stop = async () => {
    running.signal("SIGTERM");
    await running.ended;
  };
  return { ...(await untilReady(dataDir, running)), stop };
}

async function asRoot(commands: string, { pids }: StackFile): Promise<{ code: number | null; output: string }> {
  const systemctl = `systemctl() { if [ "$1" = stop ]; then kill ${pids.supervisor}; while kill -0 ${pids.supervisor} 2>&-; do sleep 0.05; done; fi; }`;
  const child = spawn("bash", ["-euc", `${systemctl}\n${commands}`], { cwd: root, stdio: ["ignore", "pipe", "pipe"] });
  let output = "";
  for (const stream of [child.stdout, child.stderr]) stream.on("data", (chunk: Buffer) => (output += chunk.toString()));
  const code = await new Promise<number | null>((resolve) => child.once("close", resolve));
  return { code, output };
}

const ownersBelow = (place: string): number[] => {
  const names = ["", ...fs.readdirSync(place, { recursive: true, encoding: "utf8" })];
  return [...new Set(names.map((name) => fs.lstatSync(path.join(place, name)).uid))];
};

describe.skipIf(process.getuid?.() !== 0)("the installation on one machine", () => {
  let service: Installed;

  beforeAll(async () => {
    fs.chmodSync(folder, 0o755);
    for (const name of ["lib", "cache"]) fs.mkdirSync(path.join(folder, "var", name), { recursive: true });
    service = await startService();
  });
  afterAll(async () => {
    await service?.stop();
    fs.rmSync(folder, { recursive: true, force: true });
  });

  test("is backed up and restored by the commands of docs/operations.md", async () => {
    const place = await makePlace(service);
    await storeImage(service, place);
    const before = { rows: await rowsOf(service.dbUrl), files: filesOf(path.join(dataDir, "storage")) };
    const [backUp, restore] = commandsBelow("Backups");
    expect(await asRoot(backUp!, service)).toEqual({
      code: 0,
      output: expect.stringMatching(/monday\.backup has everything .*, encrypted\)/),
    });
    const writers = startWriters(service, place, 1);
    await expect.poll(() => writers.acknowledged.length).toBeGreaterThan(2);
    await writers.stop();

    expect(await asRoot(restore!, service)).toEqual({ code: 0, output: expect.stringContaining(`${dataDir} is as it was`) });
    expect(ownersBelow(dataDir)).toEqual([serviceUser]);
    service = await startService();
    expect({ rows: await rowsOf(service.dbUrl), files: filesOf(path.join(dataDir, "storage")) }).toEqual(before);
    expect(await lost(service, writers.acknowledged)).toEqual(writers.acknowledged);
    expect(fs.existsSync(`${dataDir}-before/keys.json`)).toBe(true);
  });

  test("keeps only data in the data folder, so that it can be moved away", () => {
    expect(fs.readdirSync(path.join(folder, "var/cache/tidings"))).not.toEqual([]);
    expect(fs.readdirSync(dataDir).toSorted()).toEqual([
      "children.json",
      "keys.json",
      "logs",
      "mail",
      "postgres",
      "stack.json",
      "storage",
      "supervisor.lock",
    ]);
  });
});
