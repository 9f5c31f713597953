/** Indexes of a longest increasing subsequence of distinct numbers. */
export function longestRise(numbers: readonly number[]): number[] {
  const ends: number[] = [];
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
