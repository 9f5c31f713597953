import { createServer } from "node:net";
import { chromium } from "playwright";
import { chromiumFlags, ensureChromium } from "../tests/support/chromium.ts";
import { startStack } from "../tests/support/stack.ts";
import { machines } from "./screenshots/machines.ts";
import { reading } from "./screenshots/reading.ts";
import { settings } from "./screenshots/settings.ts";
import { type Scene, Stage } from "./screenshots/stage.ts";
import { writing } from "./screenshots/writing.ts";

/** Draws docs/images from the demo workspace: `npm run build && npm run screenshots [-- scene …]`. Other servers are stand-ins. */
const scenes: Record<string, Scene> = { ...settings, ...reading, ...writing, ...machines };
const wanted = process.argv.slice(2);
const unknown = wanted.filter((name) => !(name in scenes));
if (unknown.length > 0) throw new Error(`Unknown scene ${unknown.join(", ")}; there are ${Object.keys(scenes).join(", ")}`);

const toThisMachine = { TIDINGS_WEBHOOKS_TO_PRIVATE: "1", TIDINGS_BACKUPS_TO_PRIVATE: "1", TIDINGS_ASSISTANTS_TO_PRIVATE: "1" };
/** Same addresses as `npm start`, where they are free. */
const port = await new Promise<number | undefined>((resolve) => {
  const probe = createServer().once("error", () => resolve(undefined));
  probe.listen(3000, "127.0.0.1", () => probe.close(() => resolve(3000)));
});
const stack = await startStack({ seed: "demo", env: toThisMachine, ...(port && { port }) });
const browser = await chromium.launch({ executablePath: ensureChromium(), args: chromiumFlags });
const stage = new Stage(stack, browser);
const failed: string[] = [];
try {
  await stage.begin();
  for (const [name, scene] of Object.entries(scenes)) {
    if (wanted.length > 0 && !wanted.includes(name)) continue;
    await scene(stage).catch((error: unknown) => {
      failed.push(name);
      console.error(`${name}: ${error instanceof Error ? error.message : String(error)}`);
    });
  }
} finally {
  await stage.end();
  await browser.close();
  await stack.stop();
}
if (failed.length > 0) throw new Error(`Not drawn: ${failed.join(", ")}`);
