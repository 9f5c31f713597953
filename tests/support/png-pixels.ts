import { inflateSync } from "node:zlib";

export function pixelsOf(file: Uint8Array): { width: number; height: number; at(x: number, y: number): number } {
  const bytes = Buffer.from(file);
  const [width, height, depth, kind] = [bytes.readUInt32BE(16), bytes.readUInt32BE(20), bytes[24], bytes[25]];
  const channels = kind === 6 ? 4 : kind === 2 ? 3 : 0;
  if (depth !== 8 || channels === 0) throw new Error(`a PNG of ${depth} bits and colour type ${kind}`);
  const packed: Buffer[] = [];
  for (let at = 8; at < bytes.length; at += 12 + bytes.readUInt32BE(at)) {
    if (bytes.toString("latin1", at + 4, at + 8) === "IDAT") packed.push(bytes.subarray(at + 8, at + 8 + bytes.readUInt32BE(at)));
  }
  const rows = inflateSync(Buffer.concat(packed));
  const stride = width * channels;
  const pixels = Buffer.alloc(stride * height);
  for (let y = 0; y < height; y += 1) {
    const filter = rows[y * (stride + 1)];
    for (let x = 0; x < stride; x += 1) {
      const left = x >= channels ? pixels[y * stride + x - channels]! : 0;
      const above = y > 0 ? pixels[(y - 1) * stride + x]! : 0;
      const corner = x >= channels && y > 0 ? pixels[(y - 1) * stride + x - channels]! : 0;
      const guess = [0, left, above, (left + above) >> 1, paeth(left, above, corner)][filter ?? 0] ?? 0;
      pixels[y * stride + x] = (rows[y * (stride + 1) + 1 + x]! + guess) & 255;
    }
  }
  return { width, height, at: (x, y) => pixels.readUIntBE((y * width + x) * channels, 3) };
}

function paeth(left: number, above: number, corner: number): number {
  const guess = left + above - corner;
  const [toLeft, toAbove, toCorner] = [left, above, corner].map((one) => Math.abs(guess - one)) as [number, number, number];
  if (toLeft <= toAbove && toLeft <= toCorner) return left;
  return toAbove <= toCorner ? above : corner;
}
