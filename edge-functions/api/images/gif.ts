import { KeptBytes, letters, PartCount, viewOf } from "./byte-ranges.ts";
import type { Picture } from "./picture.ts";

const extension = 0x21;
const image = 0x2c;
const trailer = 0x3b;
const graphicControl = 0xf9;
const application = 0xff;
/** Loop count: the only application extension browsers read. */
const loops = ["NETSCAPE2.0", "ANIMEXTS1.0"];
const endOfBlocks = new Uint8Array([0]);

export function readGif(file: Uint8Array): Picture | null {
  const view = viewOf(file);
  const output = new KeptBytes(file);
  let [width, height] = [view.getUint16(6, true), view.getUint16(8, true)];
  let at = 13 + colourTable(view.getUint8(10));
  output.keep(0, at);
  let frames = 0;
  const parts = new PartCount();
  for (;;) {
    parts.next();
    const kind = file[at];
    if (kind === extension) {
      const label = view.getUint8(at + 1);
      const shortened = label === graphicControl ? at + 7 : isLoop(file, at) ? at + 18 : 0;
      if (shortened) {
        output.keep(at, shortened);
        output.add(endOfBlocks);
      }
      at = afterBlocks(view, at + 2);
    } else if (kind === image) {
      frames += 1;
      const [left, top, across, down] = [1, 3, 5, 7].map((offset) => view.getUint16(at + offset, true)) as [number, number, number, number];
      if (frames === 1) [width, height] = [Math.max(width, left + across), Math.max(height, top + down)];
      const end = afterBlocks(view, at + 11 + colourTable(view.getUint8(at + 9)));
      output.keep(at, end);
      at = end;
    } else break;
  }
  if (frames === 0) return null;
  output.add(new Uint8Array([trailer]));
  return { bytes: output.join(), width, height, frames };
}

const colourTable = (flags: number): number => (flags & 0x80 ? 3 * 2 ** ((flags & 7) + 1) : 0);

const isLoop = (file: Uint8Array, at: number): boolean =>
  file[at + 1] === application &&
  file[at + 2] === 11 &&
  loops.includes(letters(file, at + 3, at + 14)) &&
  file[at + 14] === 3 &&
  file[at + 15] === 1;

function afterBlocks(view: DataView, start: number): number {
  for (let at = start; ;) {
    const length = view.getUint8(at);
    at += 1 + length;
    if (length === 0) return at;
  }
}
