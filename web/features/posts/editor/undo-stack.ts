import type { OutputData } from "@editorjs/editorjs";

type Blocks = OutputData["blocks"];

/** States of the text one can go back to and forth again. */
export interface UndoStack {
  /** Adds a state; what could be redone is gone then. The same blocks as before add nothing. */
  record(blocks: Blocks): void;
  /** The state before, or null at the beginning. */
  undo(): Blocks | null;
  redo(): Blocks | null;
  /** Begins again with this state: nobody takes back what somebody else wrote. */
  restart(blocks: Blocks): void;
}

const depth = 100;

export function createUndoStack(first: Blocks): UndoStack {
  let states = [first];
  let place = 0;
  return {
    record(blocks) {
      if (JSON.stringify(blocks) === JSON.stringify(states[place])) return;
      states = [...states.slice(Math.max(0, place + 2 - depth), place + 1), blocks];
      place = states.length - 1;
    },
    undo: () => (place > 0 ? states[--place]! : null),
    redo: () => (place < states.length - 1 ? states[++place]! : null),
    restart(blocks) {
      states = [blocks];
      place = 0;
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
