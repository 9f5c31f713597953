/** Draws as the function `og` does, in a process of its own, and says what processor time it took: see ../pictures.ts. */
import process from "node:process";
import { deflateSync } from "node:zlib";

const spent = (): number => {
  const { user, system } = process.cpuUsage();
  return (user + system) / 1_000;
};
/** What a work took. */
async function taken(work: () => unknown): Promise<number> {
  const before = spent();
  await work();
  return spent() - before;
}

const { draw } = await import("../../../edge-functions/og/draw.ts");
const { cardOf } = await import("../../../edge-functions/og/fill.ts");
let noise = 1;
/** With some noise in them, so that packing is work. */
const pixels = Uint8Array.from({ length: 1_200 * 630 * 4 }, () => (noise = (noise * 48_271) % 2_147_483_647) & 15);
const card = (title: string) =>
  cardOf({ workspace_name: "Acme", logo_url: null, logo_dark_url: null, appearance: {}, title, published_at: "2026-03-03T10:00:00Z" }, () =>
    Promise.resolve(null),
  );

const title = "Search is faster: results appear while you type, and they forgive a slip of the keyboard";
await draw(await card(title));
const first = spent(); // from the process' start
const warm: number[] = [];
const reference: number[] = [];
for (let count = 0; count < 15; count += 1) {
  const one = await card(`${title} ${count}`);
  warm.push(await taken(() => draw(one)));
  reference.push(await taken(() => deflateSync(pixels)));
}
const bytes = (await draw(await card(title))).length;
console.log(JSON.stringify({ first, warm, reference, bytes }));
