/** What stands in another place of a sequence: `from`–`to` of the one became `start`–`end` of the other (ends are not included). */
export interface Hunk {
  from: number;
  to: number;
  start: number;
  end: number;
}

/** Pieces that may differ before two texts count as two texts that have nothing to do with each other. */
const mostDiffering = 1_000;

/**
 * What makes `after` of `before`, in order, by the fewest pieces (Myers, "An O(ND) Difference Algorithm", 1986). Null when more than `most`
 * pieces differ: time and memory grow with what differs, never with the square of the length, however many pieces are alike.
 */
export function diff(before: readonly string[], after: readonly string[], most = mostDiffering): Hunk[] | null {
  let head = 0;
  while (head < before.length && head < after.length && before[head] === after[head]) head++;
  let [endBefore, endAfter] = [before.length, after.length];
  while (endBefore > head && endAfter > head && before[endBefore - 1] === after[endAfter - 1]) {
    endBefore--;
    endAfter--;
  }
  if (head === endBefore && head === endAfter) return [];
  if (head === endBefore || head === endAfter) return [{ from: head, to: endBefore, start: head, end: endAfter }];
  const [a, b] = numbered(before.slice(head, endBefore), after.slice(head, endAfter));
  return (
    steps(a, b, most)?.map(({ from, to, start, end }) => ({ from: from + head, to: to + head, start: start + head, end: end + head })) ??
    null
  );
}

/** The pieces as numbers: those are compared in one step, however long the pieces are. */
function numbered(before: readonly string[], after: readonly string[]): [Int32Array, Int32Array] {
  const numbers = new Map<string, number>();
  const numberOf = (piece: string): number => {
    const known = numbers.get(piece);
    if (known !== undefined) return known;
    numbers.set(piece, numbers.size);
    return numbers.size - 1;
  };
  return [Int32Array.from(before, numberOf), Int32Array.from(after, numberOf)];
}

function steps(a: Int32Array, b: Int32Array, most: number): Hunk[] | null {
  const bound = Math.min(most, a.length + b.length);
  // reached[k + bound + 1]: how far one gets in `a` on diagonal k (place in a - place in b)
  const reached = new Int32Array(2 * bound + 3);
  const trail: Int32Array[] = [];
  for (let differing = 0; differing <= bound; differing++) {
    for (let k = -differing; k <= differing; k += 2) {
      const at = k + bound + 1;
      const down = k === -differing || (k !== differing && reached[at - 1]! < reached[at + 1]!);
      let x = down ? reached[at + 1]! : reached[at - 1]! + 1;
      while (x < a.length && x - k < b.length && a[x] === b[x - k]) x++;
      reached[at] = x;
      if (x >= a.length && x - k >= b.length) return walkedBack(trail, a.length, b.length, differing);
    }
    trail.push(reached.slice(bound + 1 - differing, bound + 2 + differing));
  }
  return null;
}

/** The hunks, read from the end: `trail[d]` is how far each diagonal from -d to d came with d differing pieces. */
function walkedBack(trail: readonly Int32Array[], lengthA: number, lengthB: number, differing: number): Hunk[] {
  const hunks: Hunk[] = [];
  let [x, y] = [lengthA, lengthB];
  for (let d = differing; d > 0; d--) {
    const before = trail[d - 1]!;
    const on = (k: number): number => (Math.abs(k) > d - 1 ? -1 : before[k + d - 1]!);
    const k = x - y;
    const down = k === -d || (k !== d && on(k - 1) < on(k + 1));
    const fromX = down ? on(k + 1) : on(k - 1);
    const fromY = fromX - (down ? k + 1 : k - 1);
    const [toX, toY] = down ? [fromX, fromY + 1] : [fromX + 1, fromY];
    const last = hunks.at(-1);
    if (last && last.from === toX && last.start === toY) [last.from, last.start] = [fromX, fromY];
    else hunks.push({ from: fromX, to: toX, start: fromY, end: toY });
    [x, y] = [fromX, fromY];
  }
  return hunks.reverse();
}

/** The places of a longest rising run of numbers that are all different. */
export function longestRise(numbers: readonly number[]): number[] {
  const ends: number[] = []; // ends[n]: the place of the smallest number that a rise of n + 1 may end with
  const before = new Int32Array(numbers.length);
  for (const [place, number] of numbers.entries()) {
    let [low, high] = [0, ends.length];
    while (low < high) {
      const middle = (low + high) >>> 1;
      if (numbers[ends[middle]!]! < number) low = middle + 1;
      else high = middle;
    }
    before[place] = low === 0 ? -1 : ends[low - 1]!;
    ends[low] = place;
  }
  const rise: number[] = [];
  for (let place = ends.at(-1) ?? -1; place !== -1; place = before[place]!) rise.push(place);
  return rise.reverse();
}
