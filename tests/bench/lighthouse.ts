import { spawn } from "node:child_process";
import { mkdtempSync, readFileSync, rmSync } from "node:fs";
import os from "node:os";
import path from "node:path";
import { setTimeout as wait } from "node:timers/promises";
import { demoSubdomain } from "../../supabase/local/seed/demo.ts";
import { chromiumFlags, ensureChromium } from "../support/chromium.ts";
import { startStack } from "../support/stack.ts";
import { median, Report } from "./report.ts";

/**
 * What Lighthouse says of the public pages: list, post, and a post with an image, as a phone on a slow line sees them (Lighthouse's own
 * preset: a mid-range phone, four times slower, 150 ms away) and as a desktop does. Usage: node tests/bench/lighthouse.ts [runs].
 */
const lighthouse = "lighthouse@13.5.0"; // fetched by npx: nothing else of the product needs it
const runs = Number(process.argv[2] ?? 3);
const presets = { phone: [], desktop: ["--preset=desktop"] } as const;
const categories = ["performance", "accessibility", "best-practices", "seo"] as const;
const lcpLimit = 0.8; // seconds

interface Judgement {
  categories: Record<(typeof categories)[number], { score: number }>;
  audits: Record<string, { score: number | null; scoreDisplayMode: string; title: string; numericValue?: number; details?: object }>;
}

const folder = mkdtempSync(path.join(os.tmpdir(), "tidings-lighthouse-"));
const stack = await startStack({ seed: "demo" });
const origin = `http://${demoSubdomain}.localhost:${stack.ports.gateway}`;
const report = new Report();
try {
  await untilSeeded();
  const pages = {
    list: "/releases",
    post: await postThat((image) => image === null),
    "post with an image": await postThat((image) => image !== null),
  };
  for (const [preset, options] of Object.entries(presets)) {
    for (const [name, address] of Object.entries(pages)) {
      const found: Judgement[] = [];
      for (let run = 0; run < runs; run++) found.push(await judge(origin + address, options));
      for (const category of categories) {
        const score = median(found.map(({ categories }) => categories[category].score * 100));
        report.judge(`${name}, ${preset}: ${category}`, score, "at least", 100, "points");
      }
      const lcp = median(found.map(({ audits }) => (audits["largest-contentful-paint"]?.numericValue ?? Number.NaN) / 1_000));
      report.judge(`${name}, ${preset}: largest contentful paint`, lcp, "at most", lcpLimit, "s");
      for (const line of complaints(found[0]!)) console.log(`${name}, ${preset}: ${line}`);
    }
  }
} finally {
  await stack.stop();
  rmSync(folder, { recursive: true, force: true });
}
report.end();

/** One look of Lighthouse at one page, in a browser of its own. */
async function judge(url: string, options: readonly string[]): Promise<Judgement> {
  const file = path.join(folder, "judgement.json");
  const flags = ["--headless=new", ...chromiumFlags].join(" ");
  const args = ["-y", lighthouse, url, "--quiet", "--output=json", `--output-path=${file}`, `--chrome-flags=${flags}`, ...options];
  const child = spawn("npx", args, { stdio: ["ignore", "ignore", "inherit"], env: { ...process.env, CHROME_PATH: ensureChromium() } });
  const code = await new Promise((resolve) => child.once("exit", resolve));
  if (code !== 0) throw new Error(`Lighthouse ended with ${String(code)}`);
  return JSON.parse(readFileSync(file, "utf8")) as Judgement;
}

/** What it found wanting, so that a missed figure explains itself. */
function complaints({ audits }: Judgement): string[] {
  return Object.values(audits)
    .filter(({ score, scoreDisplayMode }) => score !== null && score < 0.9 && scoreDisplayMode !== "informative")
    .map(({ title }) => title);
}

async function untilSeeded(): Promise<void> {
  for (const end = Date.now() + 60_000; Date.now() < end; await wait(250)) if ((await fetchPage("/releases")).status === 200) return;
  throw new Error("the demo does not stand");
}

/** The address of a post that has an image, or of one that has none. */
async function postThat(fits: (image: object | null) => boolean): Promise<string> {
  const { releases } = JSON.parse((await fetchPage("/releases.json?limit=50")).body) as {
    releases: { slug: string; image: object | null }[];
  };
  return `/releases/${releases.find(({ image }) => fits(image))!.slug}`;
}

/** By ?workspace= on the bare host: Node does not resolve names below localhost. */
async function fetchPage(address: string): Promise<{ status: number; body: string }> {
  const answer = await fetch(`${stack.publicUrl}${address}${address.includes("?") ? "&" : "?"}workspace=${demoSubdomain}`);
  return { status: answer.status, body: await answer.text() };
}
