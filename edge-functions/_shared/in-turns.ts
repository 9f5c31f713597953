/** Work goes on this long, then others have their turn: well below what a reader notices. */
const longestMs = 5;

/** Lets everything else that waits in this process go first. */
export const othersFirst = (): Promise<void> => new Promise((resolve) => setTimeout(resolve, 0));

/** Does a work of many steps in short pieces, so that nobody else's request waits for all of it. */
export async function inTurns<Made>(steps: Generator<void, Made>): Promise<Made> {
  let began = performance.now();
  for (let step = steps.next(); ; step = steps.next()) {
    if (step.done) return step.value;
    if (performance.now() - began < longestMs) continue;
    await othersFirst();
    began = performance.now();
  }
}
