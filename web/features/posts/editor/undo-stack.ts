import type { OutputData } from "@editorjs/editorjs";

type Blocks = OutputData["blocks"];

/** States of the text one can go back to and forth again. */
export interface UndoStack {
  /** Adds a state; what could be redone is gone then. The same blocks as before add nothing. */
  record(blocks: Blocks): void;
  /** The state before, or null at the beginning. */
  undo(): Blocks | null;
  redo(): Blocks | null;
  /** Somebody else made the present state another: what is undone or redone later keeps that, for nobody takes back what somebody else wrote. */
  goAlong(from: Blocks, to: Blocks): void;
}

const depth = 100;
/** Of others' changes: a state that so many came after is not worth bringing through all of them. */
const others = 40;

/** A change by somebody else, and the states that do not have it yet know so by its number. */
interface Other {
  from: Blocks;
  to: Blocks;
}
interface State {
  blocks: Blocks;
  /** So many of the others' changes are in it. */
  has: number;
}

/** `merge` brings a change between two states into a third one. */
export function createUndoStack(
  first: Blocks,
  merge: (from: Blocks, state: Blocks, to: Blocks) => Blocks = (_from, _state, to) => to,
): UndoStack {
  let known: Other[] = [];
  let states: State[] = [{ blocks: first, has: 0 }];
  let place = 0;

  const at = (index: number): Blocks => {
    const state = states[index]!;
    for (const { from, to } of known.slice(state.has)) state.blocks = merge(from, state.blocks, to);
    state.has = known.length;
    return state.blocks;
  };
  return {
    record(blocks) {
      if (JSON.stringify(blocks) === JSON.stringify(states[place]!.blocks)) return;
      states = [...states.slice(Math.max(0, place + 2 - depth), place + 1), { blocks, has: known.length }];
      place = states.length - 1;
    },
    undo: () => (place > 0 ? at(--place) : null),
    redo: () => (place < states.length - 1 ? at(++place) : null),
    goAlong(from, to) {
      const last = known.at(-1);
      const alone = last !== undefined && !states.some(({ has }, index) => has === known.length && index !== place);
      if (alone && JSON.stringify(last.to) === JSON.stringify(from)) last.to = to; // one more by others, nothing in between
      else known.push({ from, to });
      if (known.length > others) {
        known = [];
        states = [{ blocks: to, has: 0 }];
        place = 0;
      } else states[place] = { blocks: to, has: known.length };
    },
  };
}

/** How one state becomes another: the blocks `gone` give way to `come`, which stand behind the block `after` (null: at the top). */
export interface BlockChange {
  after: string | null;
  gone: string[];
  come: Blocks;
}

/** The change between two states, or null when they are the same. By ids: an editor also holds empty blocks that it does not save. */
export function changeBetween(from: Blocks, to: Blocks): BlockChange | null {
  const same = (i: number, j: number) => JSON.stringify(from[i]) === JSON.stringify(to[j]);
  const shorter = Math.min(from.length, to.length);
  let head = 0;
  while (head < shorter && same(head, head)) head++;
  let tail = 0;
  while (tail < shorter - head && same(from.length - 1 - tail, to.length - 1 - tail)) tail++;
  const gone = from.slice(head, from.length - tail).map((block) => block.id ?? "");
  const come = to.slice(head, to.length - tail);
  return gone.length === 0 && come.length === 0 ? null : { after: from[head - 1]?.id ?? null, gone, come };
}
