/** Preloaded by a function: shifts its clock by CLOCK_MOVED_BY milliseconds. */
const moved = Number(process.env.CLOCK_MOVED_BY);
const Real = Date;

class Moved extends Real {
  constructor(...given: [] | [number | string | Date]) {
    if (given.length === 0) super(Real.now() + moved);
    else super(...given);
  }

  static override now(): number {
    return Real.now() + moved;
  }
}

globalThis.Date = Moved as DateConstructor;
