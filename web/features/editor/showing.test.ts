import { describe, expect, test } from "vitest";
import { mergeBlocks } from "./merge-blocks.ts";
import { placeIn } from "./show-change.ts";
import { stepsBetween } from "./steps-between.ts";
import { createUndoStack } from "./undo-stack.ts";

const block = (id: string, text = id) => ({ id, type: "paragraph", data: { text } });
/** Blocks in short form: "a:words" is block a with a text, "a" is block a with its id as text. */
const blocks = (names: string) =>
  names
    .split(" ")
    .filter(Boolean)
    .map((name) => block(...(name.split(":") as [string, string?])));
const format = (list: readonly { id?: string; data: unknown }[] | null) =>
  list?.map(({ id, data }) => `${id}${(data as { text: string }).text === id ? "" : `:${(data as { text: string }).text}`}`).join(" ");

describe("stepsBetween changes only blocks that differ", () => {
  test.each([
    ["a b c", "a b c", []],
    ["a b c d e", "a:x b c d e:y", ["0-1+a", "4-1+e"]],
    ["a b c", "x a b c y", ["0-0+x", "3-0+y"]],
    ["a b c", "b c", ["0-1+"]],
    ["a b c", "", ["0-3+"]],
    ["", "a b", ["0-0+a,b"]],
    ["a b c d", "b c d a", ["0-1+", "4-0+a"]],
    ["a b c d e", "a d b c e", ["1-0+d", "3-1+"]],
    ["a b c d", "d c b a", ["0-0+d,c,b", "1-3+"]],
  ])("%j to %j", (from, to, steps) => {
    const changes = stepsBetween(blocks(from), blocks(to));
    expect(changes.map(({ at, removed, inserted }) => `${at}-${removed}+${inserted.map(({ id }) => id).join()}`)).toEqual(steps);
    const result = blocks(from);
    for (const { at, removed, inserted } of changes.toReversed()) result.splice(at, removed, ...(inserted as ReturnType<typeof blocks>));
    expect(result).toEqual(blocks(to));
  });
});

describe("placeIn keeps the caret behind its word", () => {
  const caret = "|";
  test.each([
    ["One tw|o", "One tw|o"],
    ["One tw|o", "And one tw|o"],
    ["One tw|o", "One tw|o, three"],
    ["One two| three four", "Zero one two| three four five"],
    ["One two| three", "Once two| threes"],
    ["|", "|All new"],
    ["All gone|", "|"],
    ["One two|", "Something else|"],
  ])("%j becomes %j", (from, to) => {
    const offset = placeIn(from.replace(caret, ""), to.replace(caret, ""), from.indexOf(caret));
    const words = to.replace(caret, "");
    expect(words.slice(0, offset) + caret + words.slice(offset)).toBe(to);
  });
});

describe("createUndoStack after a colleague's save", () => {
  const mergedStack = () => {
    const stack = createUndoStack(blocks("a b c"), mergeBlocks);
    stack.record(blocks("a:mine b c"));
    stack.applyRemote(blocks("a:mine b c"), blocks("a:mine b:theirs c new"));
    return stack;
  };

  test("undoes and redoes only own changes", () => {
    const stack = mergedStack();
    expect(format(stack.undo())).toBe("a b:theirs c new");
    expect(format(stack.redo())).toBe("a:mine b:theirs c new");
    expect(stack.redo()).toBeNull();
  });

  test("rebases over many saves between own changes", () => {
    const stack = mergedStack();
    stack.record(blocks("a:mine b:theirs c:mine new"));
    stack.applyRemote(blocks("a:mine b:theirs c:mine new"), blocks("a:mine b:theirs-too c:mine new"));
    stack.applyRemote(blocks("a:mine b:theirs-too c:mine new"), blocks("x a:mine b:theirs-too c:mine"));
    expect(format(stack.undo())).toBe("x a:mine b:theirs-too c");
    expect(format(stack.undo())).toBe("x a b:theirs-too c");
    expect(stack.undo()).toBeNull();
    expect(format(stack.redo())).toBe("x a:mine b:theirs-too c");
    expect(format(stack.redo())).toBe("x a:mine b:theirs-too c:mine");
  });

  test("keeps theirs where both changed the same", () => {
    const stack = createUndoStack(blocks("a b"), mergeBlocks);
    stack.record(blocks("b"));
    stack.applyRemote(blocks("b"), blocks("b:theirs"));
    expect(format(stack.undo())).toBe("a b:theirs");
    const other = createUndoStack(blocks("a"), mergeBlocks);
    other.record(blocks("a:mine"));
    other.applyRemote(blocks("a:mine"), blocks("a:theirs"));
    expect(format(other.undo())).toBe("a:theirs");
  });

  test("drops its history after too many remote changes", () => {
    const stack = createUndoStack(blocks("a"), mergeBlocks);
    for (let save = 1; save <= 60; save++) {
      stack.record(blocks(`a:mine-${save} n`));
      stack.applyRemote(blocks(`a:mine-${save} n`), blocks(`a:mine-${save} n:${save}`));
    }
    let steps = 0;
    for (let state = stack.undo(); state; state = stack.undo()) {
      expect(format(state)).toContain("n:");
      steps++;
    }
    expect(steps).toBeLessThan(60);
  });
});
