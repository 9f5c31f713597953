const short = 1_000;
const long = 100_000;

const repeated = (part: string, length: number) => part.repeat(Math.ceil(length / part.length)).slice(0, length);

function cpuMs(work: () => void): number {
  const before = process.threadCpuUsage();
  work();
  const { user, system } = process.threadCpuUsage(before);
  return (user + system) / 1_000;
}

/**
 * True if `work` takes linear time: a hundred times the text takes less than twenty times as long as a hundred runs, in one of three looks, as
 * garbage collection can distort one. What is quick anyway isn't compared.
 */
export function isLinear(work: (text: string) => unknown, part: string): boolean {
  for (let look = 0; look < 3; look++) {
    const together = cpuMs(() => void work(repeated(part, long)));
    if (together < 500) return true;
    const apart = cpuMs(() => {
      for (let run = 0; run < long / short; run++) work(repeated(part, short));
    });
    if (together < 20 * apart) return true;
  }
  return false;
}
