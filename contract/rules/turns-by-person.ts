import { KeyedCounter } from "./keyed-counter.ts";
import { RoundRobinQueue } from "./round-robin-queue.ts";

type Give<Slot> = (slot: Slot) => void;

/** So many newcomers in a row are served before somebody who has more under way. */
const newInARow = 3;

/**
 * Who has a slot (a connection, a place among the calls under way), and who is next. Whoever has nothing else under way comes first, as new flows do
 * in FQ-CoDel (RFC 8290, section 4.2): a save waits for one call to end, not for one of each person who has six. All others take turns by person and
 * have a few of the slots: with all of them, their calls would leave everybody else's a tenth of the processors.
 */
export class TurnsByPerson<Slot> {
  readonly #free: Slot[];
  /** Of calls of people who had others under way: so many have a slot at once. */
  readonly #mostFurther: number;
  readonly #further = new Set<Slot>();
  readonly #waitingFirst = new Set<Give<Slot>>();
  readonly #waitingFurther = new RoundRobinQueue<Give<Slot>>();
  /** How many calls of each person wait or have a slot. */
  readonly #underWay = new KeyedCounter();
  #inARow = 0;

  constructor(slots: readonly Slot[], mostFurther: number) {
    this.#free = [...slots];
    this.#mostFurther = mostFurther;
  }

  /**
   * A slot for a call of `who`; one that `holds` another already does not wait for turns, or calls could wait for one another for ever. Whoever is
   * gone by `signal` while he waits leaves the queue and gets the signal's reason.
   */
  async take(who: string, holds = false, signal?: AbortSignal): Promise<Slot> {
    signal?.throwIfAborted();
    const isFirst = this.#underWay.add(who) === 1 || holds;
    const given = new Promise<Slot>((resolve, reject) => {
      const leave = () => {
        this.#waitingFirst.delete(give);
        this.#waitingFurther.remove(who, give);
        this.#underWay.remove(who);
        reject(signal?.reason as Error);
      };
      const give = (slot: Slot) => {
        signal?.removeEventListener("abort", leave);
        resolve(slot);
      };
      if (isFirst) this.#waitingFirst.add(give);
      else this.#waitingFurther.add(who, give);
      signal?.addEventListener("abort", leave);
    });
    this.#serve();
    return await given;
  }

  /** Takes back the slot of a call of `who`. */
  giveBack(who: string, slot: Slot): void {
    this.#underWay.remove(who);
    this.#further.delete(slot);
    this.#free.push(slot);
    this.#serve();
  }

  #serve(): void {
    while (this.#free.length > 0) {
      const mayGoOn = !this.#waitingFurther.isEmpty && this.#further.size < this.#mostFurther;
      const isFirst = this.#waitingFirst.size > 0 && (this.#inARow < newInARow || !mayGoOn);
      if (!isFirst && !mayGoOn) return;
      this.#inARow = isFirst && mayGoOn ? this.#inARow + 1 : 0;
      // The one that has waited longest: each has its plans made when many come at once, which then do not all wait for that.
      const slot = this.#free.shift()!;
      if (!isFirst) this.#further.add(slot);
      (isFirst ? this.#nextFirst() : this.#waitingFurther.next()!)(slot);
    }
  }

  #nextFirst(): Give<Slot> {
    const [give] = this.#waitingFirst;
    this.#waitingFirst.delete(give!);
    return give!;
  }
}
