/** All long works together go on this long, then everybody else has a turn: well below what a reader notices. */
const roundMs = 5;
/** One work goes on this long before it is asked which is the next. */
const sliceMs = 1;
/** Of so many slices one is for the work that came first, whatever came since. */
const firstEach = 4;

interface Work {
  steps: Generator<void, unknown>;
  /** Its number: who came before has a smaller one. */
  came: number;
  /** How long it was worked on. */
  taken: number;
  resolve(made: unknown): void;
  reject(thrown: unknown): void;
}

/**
 * Works of many steps, done in short pieces, so that nobody else's request waits for all of them. However many there are, they have one round
 * together; else a hundred would take a hundred pieces before anybody else is heard. Of those that wait, one that had the fewest rounds' time goes
 * first, of several the one that came last: what is short is over soon, whoever sends many that are long.
 */
export class Turns {
  readonly #waiting: Work[] = [];
  readonly #now: () => number;
  readonly #later: (round: () => void) => void;
  #used = 0;
  #slices = 0;
  #came = 0;
  #isNextSet = false;

  /** `later` calls back once everything else that waits in this process was looked at. */
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

const ofThisProcess = new Turns();

/** Does a work of many steps in short pieces, in turns with the others of this process. */
export const inTurns = <Made>(steps: Generator<void, Made>): Promise<Made> => ofThisProcess.do(steps);
