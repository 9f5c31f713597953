import { type Participant, presenceTypingMs } from "#contract/presence.ts";
import { lengthTo, placeAt, textsOf } from "../editor/places-in-texts.ts";
import { blockOf, idOf } from "./follow-caret.ts";
import { copyOf, replay, type Stroke, strokeOf, withStroke, wordsOf } from "./strokes.ts";

/** What is asked of somebody who would change a block that another types in. */
export interface LockQuestion {
  blockId: string;
  /** Who types there. */
  people: readonly Participant[];
  /** What waits for the answer, as words; "" when it is none. */
  words: string;
}

interface SoftLockOptions {
  /** Who types in a block at this moment. */
  typing(blockId: string): readonly Participant[];
  onQuestion(question: LockQuestion | null): void;
  /** Tab leads to the answers. */
  onTab(): void;
  /** The question went without an answer: what waited is offered. */
  onLeft(words: string, blockId: string): void;
}

interface Waiting {
  blockId: string;
  people: readonly Participant[];
  strokes: Stroke[];
  /** Where the caret was when the question came: in which of the block's texts, and between which characters. */
  caret: Caret;
}

interface Caret {
  text: number;
  from: number;
  to: number;
}

/**
 * A block that another person types in asks before it is changed. What is typed meanwhile waits with the question, and goes in with a yes or
 * when the other one rests. Whoever types there already, or has said yes and has not left the block since, is not asked.
 */
export class SoftLock {
  readonly #area: HTMLElement;
  readonly #with: SoftLockOptions;
  #waiting: Waiting | null = null;
  /** The block that the person may write in. */
  #agreed: string | null = null;
  /** When they changed a block last. */
  #typedAt = new Map<string, number>();
  /** How a text was before an input method began to write in it. */
  #composing: { blockId: string; restore(): void } | null = null;
  #replaying = false;
  readonly #ended = new AbortController();

  constructor(area: HTMLElement, options: SoftLockOptions) {
    this.#area = area;
    this.#with = options;
    // Asked before everything else that listens to keys.
    const capture = { capture: true, signal: this.#ended.signal };
    window.addEventListener("keydown", (event) => this.#onKeyDown(event), capture);
    window.addEventListener("beforeinput", (event) => this.#onBeforeInput(event), capture);
    window.addEventListener("paste", (event) => this.#onClipboard(event), capture);
    window.addEventListener("cut", (event) => this.#onClipboard(event), capture);
    window.addEventListener("compositionstart", (event) => this.#onComposition(event), capture);
    window.addEventListener("compositionend", (event) => this.#onComposed(event), capture);
    area.addEventListener("input", ({ target }) => this.#typed(target), { signal: this.#ended.signal });
    document.addEventListener("selectionchange", () => this.#look(), { signal: this.#ended.signal });
    document.addEventListener("focusin", () => this.#look(), { signal: this.#ended.signal });
  }

  /** Takes away the question; what waited is offered. */
  stop(): void {
    this.#ended.abort();
    this.leave();
  }

  /** Somebody has begun to type or rests: without anybody there, what waited goes in. */
  peopleChanged(): void {
    if (!this.#waiting) return;
    const people = this.#with.typing(this.#waiting.blockId);
    if (people.length === 0) return void this.write();
    this.#waiting.people = people;
    this.#tell();
  }

  /** Yes. */
  async write(): Promise<void> {
    const waiting = this.#end();
    if (!waiting) return;
    const block = this.#block(waiting.blockId);
    if (!block) return this.#with.onLeft(wordsOf(waiting.strokes), waiting.blockId);
    this.#agreed = waiting.blockId;
    putBack(waiting.caret, block);
    this.#replaying = true;
    await replay(waiting.strokes).finally(() => (this.#replaying = false));
  }

  /** No, but the words go elsewhere: they are answered. */
  take(): { words: string; blockId: string } | null {
    const waiting = this.#end();
    return waiting && { words: wordsOf(waiting.strokes), blockId: waiting.blockId };
  }

  /** No, or not now. */
  leave(): void {
    const waiting = this.#end();
    if (!waiting) return;
    const block = this.#block(waiting.blockId);
    if (block && !document.activeElement?.matches("input, textarea, [contenteditable=true]")) putBack(waiting.caret, block);
    const words = wordsOf(waiting.strokes);
    if (words !== "") this.#with.onLeft(words, waiting.blockId);
  }

  #end(): Waiting | null {
    const waiting = this.#waiting;
    this.#waiting = null;
    if (waiting) this.#with.onQuestion(null);
    return waiting;
  }

  #onKeyDown(event: KeyboardEvent): void {
    const block = this.#asks(event);
    if (block === null || event.isComposing) return;
    if (this.#waiting && !event.ctrlKey && !event.metaKey && !event.altKey) {
      const isTab = event.key === "Tab" && !event.shiftKey;
      if (isTab || event.key === "Escape") {
        stop(event);
        return isTab ? this.#with.onTab() : this.leave();
      }
    }
    const stroke = strokeOf(event);
    if (stroke) this.#hold(event, block, stroke);
  }

  /** What comes without a key: by a menu, by voice, by a keyboard on the screen. What an input method writes cannot be held (see below). */
  #onBeforeInput(event: InputEvent): void {
    const block = this.#asks(event);
    if (block === null || event.isComposing || !event.cancelable) return;
    const text = event.data ?? event.dataTransfer?.getData("text/plain") ?? "";
    if (text !== "") return this.#hold(event, block, { kind: "text", text });
    const key = { insertParagraph: "Enter", insertLineBreak: "Enter", deleteContentBackward: "Backspace", deleteContentForward: "Delete" };
    const name = key[event.inputType as keyof typeof key];
    this.#hold(event, block, ...(name ? [{ kind: "key", init: { key: name } } as const] : []));
  }

  #onClipboard(event: ClipboardEvent): void {
    const block = this.#asks(event);
    if (block === null) return;
    if (event.type === "cut") this.#hold(event, block, { kind: "cut" });
    else this.#hold(event, block, { kind: "paste", data: copyOf(event.clipboardData!) });
  }

  /** An input method writes into the text whoever minds: its word is taken back when it is finished, and waits like any other. */
  #onComposition(event: CompositionEvent): void {
    const block = this.#asks(event);
    if (block === null || !(event.target instanceof HTMLElement)) return;
    this.#composing = { blockId: block, restore: snapshot(event.target) };
    this.#ask(block);
  }

  #onComposed({ data }: CompositionEvent): void {
    const composing = this.#composing;
    this.#composing = null;
    if (!composing || this.#agreed === composing.blockId) return;
    setTimeout(() => {
      if (this.#ended.signal.aborted || !this.#block(composing.blockId)) return;
      composing.restore();
      if (data === "") return;
      if (!this.#waiting) return this.#with.onLeft(data, composing.blockId);
      this.#waiting.strokes = withStroke(this.#waiting.strokes, { kind: "text", text: data });
      this.#tell();
    });
  }

  /** The block that an event would change, when that needs an answer first. */
  #asks(event: Event): string | null {
    if (!event.isTrusted || this.#replaying || !(event.target instanceof HTMLElement) || !this.#area.contains(event.target)) return null;
    const blockId = event.target.matches("input, textarea, [contenteditable=true]") ? idOf(blockOf(event.target)) : null;
    if (blockId === null || this.#agreed === blockId) return null;
    if (this.#waiting) return this.#waiting.blockId === blockId ? blockId : null;
    const isTyping = Date.now() - (this.#typedAt.get(blockId) ?? 0) < presenceTypingMs;
    return isTyping || this.#with.typing(blockId).length === 0 ? null : blockId;
  }

  #hold(event: Event, blockId: string, stroke?: Stroke): void {
    stop(event);
    this.#ask(blockId);
    const waiting = this.#waiting!;
    const had = waiting.strokes.length > 0;
    if (stroke) waiting.strokes = withStroke(waiting.strokes, stroke);
    if (had && waiting.strokes.length === 0) this.leave(); // all was taken back
    else this.#tell();
  }

  #ask(blockId: string): void {
    if (this.#waiting) return;
    this.#waiting = { blockId, people: this.#with.typing(blockId), strokes: [], caret: caretIn(this.#block(blockId)!) };
    this.#tell();
  }

  #tell(): void {
    const { blockId, people, strokes } = this.#waiting!;
    this.#with.onQuestion({ blockId, people, words: wordsOf(strokes) });
  }

  #typed(target: EventTarget | null): void {
    const blockId = target instanceof Node ? idOf(blockOf(target)) : null;
    if (blockId !== null && this.#composing?.blockId !== blockId) this.#typedAt.set(blockId, Date.now());
  }

  /** Whoever goes to another block has answered nothing, and is asked again when they come back. */
  #look(): void {
    const focused = document.activeElement;
    if (this.#replaying || !focused || focused === document.body) return;
    const blockId = idOf(blockOf(focused));
    if (this.#agreed !== null && blockId !== this.#agreed && !isQuestion(focused)) this.#agreed = null;
    if (this.#waiting && blockId !== this.#waiting.blockId && !isQuestion(focused)) this.leave();
  }

  #block(id: string): HTMLElement | null {
    return this.#area.querySelector<HTMLElement>(`.ce-block[data-id="${CSS.escape(id)}"]`);
  }
}

const isQuestion = (element: Element): boolean => element.closest("[data-lock-question]") !== null;

function stop(event: Event): void {
  event.preventDefault();
  event.stopImmediatePropagation();
}

function caretIn(block: HTMLElement): Caret {
  const texts = textsOf(block);
  const text = Math.max(0, texts.indexOf(document.activeElement as HTMLElement));
  const selection = getSelection();
  const field = texts[text];
  const range = field && selection?.rangeCount && field.contains(selection.anchorNode) ? selection.getRangeAt(0) : null;
  if (!range) return { text, from: Infinity, to: Infinity };
  return {
    text,
    from: lengthTo(field!, { node: range.startContainer, offset: range.startOffset }),
    to: lengthTo(field!, { node: range.endContainer, offset: range.endOffset }),
  };
}

/** The caret to where it was, also when the block was drawn anew meanwhile; one that is there already knows better. */
function putBack({ text, from, to }: Caret, block: HTMLElement): void {
  const field = textsOf(block).at(text) ?? textsOf(block).at(-1);
  if (!field || field === document.activeElement) return;
  field.focus({ preventScroll: true });
  if (!field.matches("input, textarea")) select(field, from, to); // these keep their own
}

/** A field's text as it is now; answers how to bring it back, with the caret. */
function snapshot(field: HTMLElement): () => void {
  if (field instanceof HTMLTextAreaElement || field instanceof HTMLInputElement) {
    const { value, selectionStart, selectionEnd } = field;
    return () => {
      field.value = value;
      field.setSelectionRange(selectionStart, selectionEnd);
    };
  }
  const before = [...field.childNodes].map((node) => node.cloneNode(true));
  const { from } = caretIn(blockOf(field)!);
  return () => {
    field.replaceChildren(...before);
    if (field === document.activeElement) select(field, from, from);
  };
}

function select(field: HTMLElement, from: number, to: number): void {
  const [start, end] = [placeAt(field, from), placeAt(field, to)];
  getSelection()?.setBaseAndExtent(start.node, start.offset, end.node, end.offset);
}
