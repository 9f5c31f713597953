import type { OutputData } from "@editorjs/editorjs";

type Blocks = OutputData["blocks"];

export interface UndoStack {
  record(blocks: Blocks): void;
  undo(): Blocks | null;
  redo(): Blocks | null;
  /** Applies a colleague's change: undo and redo keep it. */
  applyRemote(from: Blocks, to: Blocks): void;
}

const depth = 100;
/** Maximum number of remote changes before the history is dropped: rebasing all of them would be slow. */
const maxRemoteChanges = 40;

interface RemoteChange {
  from: Blocks;
  to: Blocks;
}
interface State {
  blocks: Blocks;
  applied: number;
}

/** `merge` applies the change between two states to a third one. */
export function createUndoStack(
  first: Blocks,
  merge: (from: Blocks, state: Blocks, to: Blocks) => Blocks = (_from, _state, to) => to,
): UndoStack {
  let remoteChanges: RemoteChange[] = [];
  let states: State[] = [{ blocks: first, applied: 0 }];
  let place = 0;

  const at = (index: number): Blocks => {
    const state = states[index]!;
    for (const { from, to } of remoteChanges.slice(state.applied)) state.blocks = merge(from, state.blocks, to);
    state.applied = remoteChanges.length;
    return state.blocks;
  };
  return {
    record(blocks) {
      if (JSON.stringify(blocks) === JSON.stringify(states[place]!.blocks)) return;
      states = [...states.slice(Math.max(0, place + 2 - depth), place + 1), { blocks, applied: remoteChanges.length }];
      place = states.length - 1;
    },
    undo: () => (place > 0 ? at(--place) : null),
    redo: () => (place < states.length - 1 ? at(++place) : null),
    applyRemote(from, to) {
      const last = remoteChanges.at(-1);
      const canCombine = last !== undefined && !states.some(({ applied }, index) => applied === remoteChanges.length && index !== place);
      if (canCombine && JSON.stringify(last.to) === JSON.stringify(from)) last.to = to;
      else remoteChanges.push({ from, to });
      if (remoteChanges.length > maxRemoteChanges) {
        remoteChanges = [];
        states = [{ blocks: to, applied: 0 }];
        place = 0;
      } else states[place] = { blocks: to, applied: remoteChanges.length };
    },
  };
}

/** A change between two states: the blocks `removed` are replaced by `inserted`, inserted after block `after` (null: at the top). */
export interface BlockChange {
  after: string | null;
  removed: string[];
  inserted: Blocks;
}

/** The change between two states; null if they are the same. By ids: Editor.js also holds empty blocks it doesn't save. */
export function changeBetween(from: Blocks, to: Blocks): BlockChange | null {
  const same = (i: number, j: number) => JSON.stringify(from[i]) === JSON.stringify(to[j]);
  const shorter = Math.min(from.length, to.length);
  let head = 0;
  while (head < shorter && same(head, head)) head++;
  let tail = 0;
  while (tail < shorter - head && same(from.length - 1 - tail, to.length - 1 - tail)) tail++;
  const removed = from.slice(head, from.length - tail).map((block) => block.id ?? "");
  const inserted = to.slice(head, to.length - tail);
  return removed.length === 0 && inserted.length === 0 ? null : { after: from[head - 1]?.id ?? null, removed, inserted };
}
