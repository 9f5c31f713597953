/** A round-robin queue: `next` takes one thing of each person in turn, so that who queued many keeps nobody else waiting. */
export class RoundRobinQueue<Thing> {
  readonly #waiting = new Map<string, Thing[]>();

  get isEmpty(): boolean {
    return this.#waiting.size === 0;
  }

  countOf(who: string): number {
    return this.#waiting.get(who)?.length ?? 0;
  }

  add(who: string, thing: Thing): void {
    const mine = this.#waiting.get(who);
    if (mine) mine.push(thing);
    else this.#waiting.set(who, [thing]);
  }

  /** Takes one out; undefined when nobody waits. */
  next(): Thing | undefined {
    const [first] = this.#waiting;
    if (first === undefined) return undefined;
    const [who, mine] = first;
    this.#waiting.delete(who);
    const thing = mine.shift();
    if (mine.length > 0) this.#waiting.set(who, mine); // behind everybody else who waits
    return thing;
  }

  /** Who waits no longer leaves his turn to the next of his things; nothing happens where it has been taken already. */
  remove(who: string, thing: Thing): void {
    const mine = this.#waiting.get(who);
    const place = mine?.indexOf(thing) ?? -1;
    if (place >= 0) mine?.splice(place, 1);
    if (mine?.length === 0) this.#waiting.delete(who);
  }
}
