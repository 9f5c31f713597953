import { type Participant, presenceTypingMs } from "#contract/presence.ts";
import { lengthTo, placeAt, textsOf } from "../editor/places-in-texts.ts";
import { blockOf, idOf } from "./follow-caret.ts";
import { copyOf, replay, type Stroke, strokeOf, withStroke, wordsOf } from "./strokes.ts";

export interface LockQuestion {
  blockId: string;
  people: readonly Participant[];
  words: string;
}

interface SoftLockOptions {
  typing(blockId: string): readonly Participant[];
  onQuestion(question: LockQuestion | null): void;
  onTab(): void;
  onDismissed(words: string, blockId: string): void;
}

interface Waiting {
  blockId: string;
  people: readonly Participant[];
  strokes: Stroke[];
  /** Caret position when the question opened: which field of the block, and character offsets. */
  caret: Caret;
}

interface Caret {
  text: number;
  from: number;
  to: number;
}

/**
 * Soft lock: asks before a block is changed that another person types in. Input meanwhile is held back and replayed on confirmation or when
 * the other person pauses. Doesn't ask if the user was already typing there or has confirmed and not left the block since.
 */
export class SoftLock {
  readonly #area: HTMLElement;
  readonly #options: SoftLockOptions;
  #waiting: Waiting | null = null;
  #confirmed: string | null = null;
  #typedAt = new Map<string, number>();
  #composing: { blockId: string; restore(): void } | null = null;
  #replaying = false;
  readonly #ended = new AbortController();

  constructor(area: HTMLElement, options: SoftLockOptions) {
    this.#area = area;
    this.#options = options;
    // Before all other key listeners.
    const capture = { capture: true, signal: this.#ended.signal };
    window.addEventListener("keydown", (event) => this.#onKeyDown(event), capture);
    window.addEventListener("beforeinput", (event) => this.#onBeforeInput(event), capture);
    window.addEventListener("paste", (event) => this.#onClipboard(event), capture);
    window.addEventListener("cut", (event) => this.#onClipboard(event), capture);
    window.addEventListener("compositionstart", (event) => this.#onComposition(event), capture);
    window.addEventListener("compositionend", (event) => this.#onComposed(event), capture);
    area.addEventListener("input", ({ target }) => this.#onInput(target), { signal: this.#ended.signal });
    document.addEventListener("selectionchange", () => this.#onFocusMove(), { signal: this.#ended.signal });
    document.addEventListener("focusin", () => this.#onFocusMove(), { signal: this.#ended.signal });
  }

  stop(): void {
    this.#ended.abort();
    this.dismiss();
  }

  peopleChanged(): void {
    if (!this.#waiting) return;
    const people = this.#options.typing(this.#waiting.blockId);
    if (people.length === 0) return void this.confirm();
    this.#waiting.people = people;
    this.#notify();
  }

  async confirm(): Promise<void> {
    const waiting = this.#end();
    if (!waiting) return;
    const block = this.#block(waiting.blockId);
    if (!block) return this.#options.onDismissed(wordsOf(waiting.strokes), waiting.blockId);
    this.#confirmed = waiting.blockId;
    restoreCaret(waiting.caret, block);
    this.#replaying = true;
    await replay(waiting.strokes).finally(() => (this.#replaying = false));
  }

  release(): { words: string; blockId: string } | null {
    const waiting = this.#end();
    return waiting && { words: wordsOf(waiting.strokes), blockId: waiting.blockId };
  }

  dismiss(): void {
    const waiting = this.#end();
    if (!waiting) return;
    const block = this.#block(waiting.blockId);
    if (block && !document.activeElement?.matches("input, textarea, [contenteditable=true]")) restoreCaret(waiting.caret, block);
    const words = wordsOf(waiting.strokes);
    if (words !== "") this.#options.onDismissed(words, waiting.blockId);
  }

  #end(): Waiting | null {
    const waiting = this.#waiting;
    this.#waiting = null;
    if (waiting) this.#options.onQuestion(null);
    return waiting;
  }

  #onKeyDown(event: KeyboardEvent): void {
    const block = this.#blockToConfirm(event);
    if (block === null || event.isComposing) return;
    if (this.#waiting && !event.ctrlKey && !event.metaKey && !event.altKey) {
      const isTab = event.key === "Tab" && !event.shiftKey;
      if (isTab || event.key === "Escape") {
        stop(event);
        return isTab ? this.#options.onTab() : this.dismiss();
      }
    }
    const stroke = strokeOf(event);
    if (stroke) this.#hold(event, block, stroke);
  }

  /** Input without a key event: menus, voice, on-screen keyboards. IME input can't be held (see below). */
  #onBeforeInput(event: InputEvent): void {
    const block = this.#blockToConfirm(event);
    if (block === null || event.isComposing || !event.cancelable) return;
    const text = event.data ?? event.dataTransfer?.getData("text/plain") ?? "";
    if (text !== "") return this.#hold(event, block, { kind: "text", text });
    const key = { insertParagraph: "Enter", insertLineBreak: "Enter", deleteContentBackward: "Backspace", deleteContentForward: "Delete" };
    const name = key[event.inputType as keyof typeof key];
    this.#hold(event, block, ...(name ? [{ kind: "key", init: { key: name } } as const] : []));
  }

  #onClipboard(event: ClipboardEvent): void {
    const block = this.#blockToConfirm(event);
    if (block === null) return;
    if (event.type === "cut") this.#hold(event, block, { kind: "cut" });
    else this.#hold(event, block, { kind: "paste", data: copyOf(event.clipboardData!) });
  }

  /** An IME writes directly into the text: its word is removed when composed, and held like other input. */
  #onComposition(event: CompositionEvent): void {
    const block = this.#blockToConfirm(event);
    if (block === null || !(event.target instanceof HTMLElement)) return;
    this.#composing = { blockId: block, restore: snapshot(event.target) };
    this.#openQuestion(block);
  }

  #onComposed({ data }: CompositionEvent): void {
    const composing = this.#composing;
    this.#composing = null;
    if (!composing || this.#confirmed === composing.blockId) return;
    setTimeout(() => {
      if (this.#ended.signal.aborted || !this.#block(composing.blockId)) return;
      composing.restore();
      if (data === "") return;
      if (!this.#waiting) return this.#options.onDismissed(data, composing.blockId);
      this.#waiting.strokes = withStroke(this.#waiting.strokes, { kind: "text", text: data });
      this.#notify();
    });
  }

  #blockToConfirm(event: Event): string | null {
    if (!event.isTrusted || this.#replaying || !(event.target instanceof HTMLElement) || !this.#area.contains(event.target)) return null;
    const blockId = event.target.matches("input, textarea, [contenteditable=true]") ? idOf(blockOf(event.target)) : null;
    if (blockId === null || this.#confirmed === blockId) return null;
    if (this.#waiting) return this.#waiting.blockId === blockId ? blockId : null;
    const isTyping = Date.now() - (this.#typedAt.get(blockId) ?? 0) < presenceTypingMs;
    return isTyping || this.#options.typing(blockId).length === 0 ? null : blockId;
  }

  #hold(event: Event, blockId: string, stroke?: Stroke): void {
    stop(event);
    this.#openQuestion(blockId);
    const waiting = this.#waiting!;
    const hadStrokes = waiting.strokes.length > 0;
    if (stroke) waiting.strokes = withStroke(waiting.strokes, stroke);
    if (hadStrokes && waiting.strokes.length === 0) this.dismiss();
    else this.#notify();
  }

  #openQuestion(blockId: string): void {
    if (this.#waiting) return;
    this.#waiting = { blockId, people: this.#options.typing(blockId), strokes: [], caret: caretIn(this.#block(blockId)!) };
    this.#notify();
  }

  #notify(): void {
    const { blockId, people, strokes } = this.#waiting!;
    this.#options.onQuestion({ blockId, people, words: wordsOf(strokes) });
  }

  #onInput(target: EventTarget | null): void {
    const blockId = target instanceof Node ? idOf(blockOf(target)) : null;
    if (blockId !== null && this.#composing?.blockId !== blockId) this.#typedAt.set(blockId, Date.now());
  }

  #onFocusMove(): void {
    const focused = document.activeElement;
    if (this.#replaying || !focused || focused === document.body) return;
    const blockId = idOf(blockOf(focused));
    if (this.#confirmed !== null && blockId !== this.#confirmed && !isQuestion(focused)) this.#confirmed = null;
    if (this.#waiting && blockId !== this.#waiting.blockId && !isQuestion(focused)) this.dismiss();
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

function restoreCaret({ text, from, to }: Caret, block: HTMLElement): void {
  const field = textsOf(block).at(text) ?? textsOf(block).at(-1);
  if (!field || field === document.activeElement) return;
  field.focus({ preventScroll: true });
  if (!field.matches("input, textarea")) select(field, from, to);
}

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
