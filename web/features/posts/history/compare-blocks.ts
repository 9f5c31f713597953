import { blockText } from "#contract/blocks/plain-text.ts";
import type { Block, EditorOutput } from "#contract/blocks/schema.ts";

/** One line of a comparison: the same in both, or only in one of them. */
export interface ComparedBlock {
  where: "both" | "mine" | "theirs";
  type: Block["type"];
  /** The block's text; "" for an image without caption or a divider. */
  text: string;
}

/** Two versions of a post, block by block: what both have in order, and what only one has where it stands. */
export function compareBlocks(mine: EditorOutput, theirs: EditorOutput): ComparedBlock[] {
  const [a, b] = [mine.blocks, theirs.blocks];
  const common = commonLengths(a.map(fingerprint), b.map(fingerprint));
  const lines: ComparedBlock[] = [];
  let [i, j] = [0, 0];
  while (i < a.length || j < b.length) {
    const [own, other] = [a[i], b[j]];
    if (own && other && fingerprint(own) === fingerprint(other)) {
      lines.push(line("both", own));
      i++;
      j++;
    } else if (own && other && common(i + 1, j + 1) === common(i, j)) {
      lines.push(line("theirs", other), line("mine", own)); // one stands in the place of the other
      i++;
      j++;
    } else if (own && (!other || common(i + 1, j) === common(i, j))) {
      lines.push(line("mine", own));
      i++;
    } else if (other) {
      lines.push(line("theirs", other));
      j++;
    }
  }
  return lines;
}

const fingerprint = ({ type, data }: Block): string => JSON.stringify([type, data]);
const line = (where: ComparedBlock["where"], block: Block): ComparedBlock => ({
  where,
  type: block.type,
  text: blockText(block).join("\n"),
});

/** Length of the longest common sequence from place i and j on. */
function commonLengths(a: readonly string[], b: readonly string[]): (i: number, j: number) => number {
  const width = b.length + 1;
  const lengths = new Uint16Array((a.length + 1) * width);
  for (let i = a.length - 1; i >= 0; i--) {
    for (let j = b.length - 1; j >= 0; j--) {
      lengths[i * width + j] =
        a[i] === b[j] ? lengths[(i + 1) * width + j + 1]! + 1 : Math.max(lengths[(i + 1) * width + j]!, lengths[i * width + j + 1]!);
    }
  }
  return (i, j) => lengths[i * width + j] ?? 0;
}
