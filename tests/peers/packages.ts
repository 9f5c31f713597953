import { spawn } from "node:child_process";
import { cpSync, existsSync, mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import os from "node:os";
import path from "node:path";
import { setTimeout as wait } from "node:timers/promises";
import { chromium } from "playwright";
import { writePackages } from "../../scripts/release/packages.ts";
import { chromiumFlags, ensureHeadlessChromium } from "../support/chromium.ts";
import { freePort, type StackFile } from "../support/stack.ts";
import { newSession } from "./session.ts";
import { type Step, stepsIn } from "./steps.ts";

const root = path.resolve(import.meta.dirname, "../..");
const title = "Installed from a registry";
const quiet = ["--no-audit", "--no-fund", "--silent"];

/**
 * Lints the packages of CLI and widget, installs them from a local registry into new apps of React and Vue, and publishes and shows a post with them. Then builds
 * `examples/` against that post. A string: skipped, and why.
 */
export async function tryPackages(cache: string, stack: StackFile): Promise<boolean | string> {
  const tools = path.join(cache, "packages");
  mkdirSync(tools, { recursive: true });
  writeFileSync(path.join(tools, "package.json"), JSON.stringify(toolPackages));
  const bin = (name: string): string => path.join(tools, "node_modules/.bin", name);
  if (!existsSync(bin("verdaccio")) && !stepsIn(tools, {})("npm packages", "npm", "install", ...quiet))
    return "Couldn't install the tools.";

  const { key, subdomain } = await newSession(stack);
  const folder = mkdtempSync(path.join(os.tmpdir(), "tidings-packages-")); // outside the repository, whose packages an app would find
  const changelog = stack.publicUrl.replace("//", `//${subdomain}.`);
  const names = path.join(folder, "names.cjs");
  writeFileSync(names, resolveLocalhost);
  const env = {
    ...{ TIDINGS_URL: stack.url, TIDINGS_KEY: key, TIDINGS_CHANGELOG: changelog, NODE_OPTIONS: `--require ${names}` },
    ...{ XDG_CONFIG_HOME: folder, ASTRO_TELEMETRY_DISABLED: "1", NEXT_TELEMETRY_DISABLED: "1" },
  };
  const { serve, stop } = serverIn(env);

  try {
    const step = stepsIn(folder, env);
    const packages = await writePackages(path.join(folder, "work"), folder);
    const isLinted = packages.slice(0, 2).flatMap((file) => {
      const name = path.basename(file);
      return [
        step(`publint accepts ${name}`, bin("publint"), file, "--strict"),
        step(`attw accepts ${name}`, bin("attw"), file, "--profile", "esm-only"),
      ];
    });
    const registry = await publishLocally(packages, folder, bin("verdaccio"), serve);
    if (registry === null || !isLinted.every(Boolean)) return false;

    const reactApp = path.join(folder, "react-app");
    const example = (name: string): string =>
      readFileSync(path.join(root, "docs/examples", name), "utf8").replace("https://tidings.example", stack.publicUrl);
    const inApp = stepsIn(reactApp, env);
    const hasApp = (app: string, template: string, files: Record<string, string>): boolean => {
      if (!step(`a new app of ${template}`, bin("create-vite"), path.basename(app), "--template", template, "--no-interactive"))
        return false;
      for (const [name, text] of Object.entries(files)) writeFileSync(path.join(app, name), text);
      const inside = stepsIn(app, env);
      return (
        inside("npm installs the app", "npm", "install", ...quiet) &&
        inside("npm installs both packages", "npm", "install", ...quiet, "tidings", "@tidings/widget", "--registry", registry)
      );
    };
    const shows = async (app: string, name: string, isList = false): Promise<boolean> =>
      stepsIn(app, env)(`TypeScript and Vite build the app with ${name}`, "npm", "run", "--silent", "build") &&
      (await opensPost(path.join(app, "dist"), name, isList));

    const isPublished =
      hasApp(reactApp, "react-ts", {
        "src/App.tsx": reactAppOf(subdomain),
        "src/whats-new.tsx": example("whats-new.tsx"),
        "src/server.tsx": onServer,
        "notes.md": `# ${title}\n\nHello from \`tidings publish\`.\n`,
      }) && inApp("the command line publishes a post", "npx", "--no-install", "tidings", "publish", "notes.md");
    if (!isPublished) return false;

    const isShown =
      (await shows(reactApp, "React 19")) &&
      inApp("Vite builds it for a server", "npx", "vite", "build", "--ssr", "src/server.tsx", "--outDir", "server") &&
      inApp("the server renders the button", "node", "server/server.js") &&
      inApp(
        "npm installs React 18",
        "npm",
        "install",
        ...quiet,
        ...["", "@types/"].flatMap((types) => [`${types}react@18`, `${types}react-dom@18`]),
      ) &&
      (await shows(reactApp, "React 18"));
    const vueApp = path.join(folder, "vue-app");
    const isShownInVue =
      hasApp(vueApp, "vue-ts", { "src/App.vue": vueAppOf(subdomain), "src/whats-new.vue": example("whats-new.vue") }) &&
      (await shows(vueApp, "Vue"));
    const plainApp = path.join(folder, "plain-app");
    const isShownInElement =
      hasApp(plainApp, "vanilla-ts", { "src/main.ts": plainAppOf(stack.publicUrl, subdomain) }) &&
      (await shows(plainApp, "<tidings-news>", true));
    return (await buildExamples(folder, step, serve)) && isShown && isShownInVue && isShownInElement;
  } finally {
    stop();
    rmSync(folder, { recursive: true, force: true });
  }
}

type Serve = (url: string, cwd: string, command: string, ...args: string[]) => Promise<boolean>;

/** Starts programs and waits until they answer; `stop` ends them. */
export function serverIn(env: Record<string, string>): { serve: Serve; stop: () => void } {
  const running: (() => unknown)[] = [];
  const serve: Serve = async (url, cwd, command, ...args) => {
    const child = spawn(command, args, { cwd, env: { ...process.env, ...env }, stdio: "ignore", detached: true });
    running.push(() => child.exitCode === null && process.kill(-child.pid!)); // npx and the program
    for (const end = Date.now() + 90_000; Date.now() < end; await wait(200)) if (await answers(url)) return true;
    console.log(`✗ ${command} ${args.join(" ")} doesn't answer at ${url}`);
    return false;
  };
  return { serve, stop: () => running.forEach((end) => end()) };
}

/** Publishes packages to a registry on this machine, and returns its address. */
export async function publishLocally(packages: string[], folder: string, verdaccio: string, serve: Serve): Promise<string | null> {
  const port = await freePort();
  const registry = `http://127.0.0.1:${port}`;
  writeFileSync(path.join(folder, "verdaccio.yaml"), registrySettings);
  writeFileSync(path.join(folder, ".npmrc"), `//127.0.0.1:${port}/:_authToken=anyone\n`);
  if (!(await serve(registry, folder, verdaccio, "--config", "verdaccio.yaml", "--listen", registry))) return null;
  const publish = ["publish", "--registry", registry, "--provenance=false", "--userconfig", path.join(folder, ".npmrc")];
  const step = stepsIn(folder, {});
  return packages.every((file) => step(`npm publishes ${path.basename(file)}`, "npm", ...publish, file)) ? registry : null;
}

async function buildExamples(folder: string, step: Step, serve: Serve): Promise<boolean> {
  const builds = (name: string): boolean => {
    cpSync(path.join(root, "examples", name), path.join(folder, name), { recursive: true });
    return (
      step(`npm installs examples/${name}`, "npm", "install", ...quiet, "--prefix", name) &&
      step(`examples/${name} builds`, "npm", "run", "--silent", "build", "--prefix", name)
    );
  };
  const shows = (name: string, html: string): boolean => {
    console.log(`${html.includes(title) ? "✓" : "✗"} examples/${name} shows the post`);
    return html.includes(title);
  };
  const isStatic = builds("astro") && shows("astro", readFileSync(path.join(folder, "astro/dist/changelog/index.html"), "utf8"));
  const port = String(await freePort());
  const page = `http://localhost:${port}/changelog`;
  const start = ["--no-install", "next", "start", "--port", port];
  const isServed =
    builds("next") && (await serve(page, path.join(folder, "next"), "npx", ...start)) && shows("next", await (await fetch(page)).text());
  return isStatic && isServed;
}

const answers = (url: string): Promise<boolean> =>
  fetch(url).then(
    ({ ok }) => ok,
    () => false,
  );

async function opensPost(built: string, name: string, isList: boolean): Promise<boolean> {
  const browser = await chromium.launch({
    executablePath: ensureHeadlessChromium(),
    args: [...chromiumFlags, "--disable-features=LocalNetworkAccessChecks"],
  });
  try {
    const page = await browser.newPage();
    const origin = "https://peers.example"; // of the session's workspace
    await page.route(`${origin}/**`, (route) => route.fulfill({ path: path.join(built, new URL(route.request().url()).pathname) }));
    await Promise.all([page.waitForResponse(/\/widget\.json/), page.goto(`${origin}/index.html`)]);
    if (!isList) await page.getByRole("button", { name: "What's new" }).click();
    await page.getByText(title).click({ timeout: 10_000 });
    await page.getByRole("button", { name: "← Back" }).waitFor({ timeout: 10_000 });
    if ((await page.locator("tidings-widget").count()) !== 1) throw new Error("more than one widget");
    console.log(`✓ the widget shows the post with ${name}`);
    return true;
  } catch (error) {
    console.log(`✗ the widget shows the post with ${name}\n${String(error)}`);
    return false;
  } finally {
    await browser.close();
  }
}

/** Verdaccio asks for a dist-tag, which not every registry has. */
export const overrides = { "node-fetch": "2.7.0" };

const toolPackages = {
  private: true,
  dependencies: { "@arethetypeswrong/cli": "0.18.5", "create-vite": "9.3.0", publint: "0.3.25", verdaccio: "6.10.4" },
  overrides,
};

/** Without an uplink: the packages have no dependencies. */
const registrySettings = `storage: ./storage
packages:
  "**":
    access: $all
    publish: $all
log: { type: stdout, level: error }
`;

/** Browsers resolve *.localhost themselves, Node doesn't. */
const resolveLocalhost = `const dns = require("node:dns");
const { lookup } = dns;
dns.lookup = (name, ...rest) => lookup(name.endsWith(".localhost") ? "127.0.0.1" : name, ...rest);
`;

const reactAppOf = (workspace: string): string => `import { WhatsNew } from "./whats-new.tsx";

export default () => <WhatsNew workspace="${workspace}" />;
`;

const onServer = `import { renderToString } from "react-dom/server";
import App from "./App.tsx";

if (!renderToString(<App />).includes("</button>")) throw new Error("no button");
`;

const plainAppOf = (origin: string, workspace: string): string => `import "@tidings/widget/element";

document.querySelector("#app")!.innerHTML = '<tidings-news origin="${origin}" workspace="${workspace}"></tidings-news>';
`;

const vueAppOf = (workspace: string): string => `<script setup lang="ts">
import WhatsNew from "./whats-new.vue";
</script>

<template>
  <WhatsNew workspace="${workspace}" />
</template>
`;
