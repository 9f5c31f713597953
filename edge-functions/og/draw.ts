import { initWasm, Resvg } from "@resvg/resvg-wasm";
import satori from "satori";
import { fromBase64 } from "../_shared/base64.ts";
import { type Card, cardSize, drawing } from "./card.ts";
import program from "./parts/resvg.ts";
import { typefacesFor } from "./typefaces.ts";

let ready: Promise<void> | undefined;

/** Embedded as a module, because functions deployed by hosted Supabase's API can't read files. */
const startProgram = (): Promise<void> =>
  (ready ??= (async () => {
    const unpacked = new Blob([fromBase64(program)!]).stream().pipeThrough(new DecompressionStream("gzip"));
    await initWasm(await new Response(unpacked).arrayBuffer());
  })());

export async function draw(card: Card): Promise<Uint8Array> {
  await startProgram();
  const texts = [card.name, card.title, card.line].filter((text) => text !== null);
  const fonts = typefacesFor(card.font, [...texts, card.name?.toLocaleUpperCase() ?? ""]);
  const root = drawing(card);
  root.props.style.fontFamily = fonts.map(({ name }) => name).join(", ");
  const svg = await satori(root as unknown as Parameters<typeof satori>[0], { ...cardSize, fonts });
  const picture = new Resvg(svg, { font: { loadSystemFonts: false }, shapeRendering: 2, textRendering: 2 });
  try {
    const pixels = picture.render();
    try {
      return pixels.asPng();
    } finally {
      pixels.free();
    }
  } finally {
    picture.free();
  }
}
