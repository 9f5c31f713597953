/** All works together run this long before the event loop goes on: well below what a reader notices. */
const roundMs = 5;
/** One work runs this long before the next one is chosen. */
const sliceMs = 1;
/** Every so many slices one goes to the oldest work, so that newer ones cannot keep it waiting for ever (starvation). */
const firstEach = 4;

interface Work {
  steps: Generator<void, unknown>;
  /** Its number: older works have smaller ones. */
  came: number;
  /** How many ms it has run. */
  taken: number;
  resolve(made: unknown): void;
  reject(thrown: unknown): void;
}

/**
 * A cooperative scheduler: long computations are generators that run in short slices, so that no other request waits for all of them. All of
 * them share one round of `roundMs`, however many there are; then the event loop goes on. The next slice goes to the one that has run for the
 * fewest rounds, of several to the newest: short ones end soon, even beside many long ones.
 */
export class CooperativeScheduler {
  readonly #waiting: Work[] = [];
  readonly #now: () => number;
  readonly #later: (round: () => void) => void;
  #used = 0;
  #slices = 0;
  #came = 0;
  #isNextSet = false;

  /** `later` calls back after the event loop has handled everything else that is waiting. */
  constructor(now = () => performance.now(), later = (round: () => void): void => void setTimeout(round, 0)) {
    this.#now = now;
    this.#later = later;
  }

  do<Made>(steps: Generator<void, Made>): Promise<Made> {
    return new Promise<Made>((resolve, reject) => {
      this.#waiting.push({ steps, came: this.#came++, taken: 0, resolve: resolve as Work["resolve"], reject });
      this.#goOn();
    });
  }

  #goOn(): void {
    while (this.#waiting.length > 0 && this.#used < roundMs) this.#slice(this.#next());
    if (this.#isNextSet || this.#used === 0) return;
    this.#isNextSet = true;
    this.#later(() => {
      [this.#isNextSet, this.#used] = [false, 0];
      this.#goOn();
    });
  }

  #next(): Work {
    this.#slices += 1;
    const before = this.#slices % firstEach === 0 ? cameBefore : goesBefore;
    let at = 0;
    for (let other = 1; other < this.#waiting.length; other++) if (before(this.#waiting[other]!, this.#waiting[at]!)) at = other;
    return this.#waiting.splice(at, 1)[0]!;
  }

  #slice(work: Work): void {
    const began = this.#now();
    let spent = 0;
    try {
      for (let step = work.steps.next(); ; step = work.steps.next()) {
        spent = this.#now() - began;
        if (step.done) return work.resolve(step.value);
        if (spent >= sliceMs) break;
      }
      work.taken += spent;
      this.#waiting.push(work);
    } catch (thrown) {
      spent = this.#now() - began;
      work.reject(thrown);
    } finally {
      this.#used += spent;
    }
  }
}

const rounds = ({ taken }: Work): number => Math.floor(taken / roundMs);
const cameBefore = (one: Work, other: Work): boolean => one.came < other.came;
const goesBefore = (one: Work, other: Work): boolean =>
  rounds(one) < rounds(other) || (rounds(one) === rounds(other) && one.came > other.came);

const ofThisProcess = new CooperativeScheduler();

/** Runs a long computation in short slices, in turns with the others of this process. */
export const inTurns = <Made>(steps: Generator<void, Made>): Promise<Made> => ofThisProcess.do(steps);
