import { rangeIn, type TextAtCaret, textAtCaret } from "../text-at-caret.ts";
import { type CaretMenu, type Choice, createCaretMenu } from "./caret-menu.ts";

/** A menu that a character opens and the words behind it filter. */
export interface TypedMenu<Item extends Choice> {
  label: string;
  /** The character, at the start of a word. */
  sign: string;
  /** So many characters have to follow before anything is shown. */
  from: number;
  /** What may stand behind it; a text that does not fit is none for the menu. */
  query: RegExp;
  /** Where it opens. */
  isFor(text: HTMLElement): boolean;
  find(query: string): Item[] | Promise<Item[]>;
  /** The sign and the words are selected when it is asked. */
  pick(item: Item, text: HTMLElement): void;
  /** An ending of the query that picks by itself. */
  ends?: string;
  exact?(query: string): Promise<Item | undefined>;
}

export interface RunningMenu {
  /** Writes its sign where the caret is; taken back by Escape. */
  open(): void;
  stop(): void;
}

/** Follows what is typed behind the sign of a menu. `remember` is asked before a pick: undo leads back to what was typed. */
export function listenForTypedMenu<Item extends Choice>(holder: HTMLElement, menu: TypedMenu<Item>, remember: () => void): RunningMenu {
  let open: { text: HTMLElement; at: number; bySign: boolean } | null = null;
  let items: Item[] = [];
  let asked = 0;
  const list: CaretMenu = createCaretMenu(holder, menu.label, (place) => pick(items[place]));

  const end = () => {
    open = null;
    asked++;
    items = [];
    list.hide();
  };
  /** The words behind the sign, null when the caret is somewhere else. */
  const queryNow = (): { query: string; caret: TextAtCaret } | null => {
    const caret = textAtCaret(holder);
    if (!open || !caret || caret.text !== open.text || caret.before[open.at] !== menu.sign) return null;
    const query = caret.before.slice(open.at + 1);
    return menu.query.test(query) ? { query, caret } : null;
  };
  const show = async () => {
    const now = queryNow();
    if (!now || !open) return end();
    const mine = ++asked;
    if (now.query.length < menu.from) return list.hide();
    const found = menu.find(now.query);
    items = found instanceof Promise ? await found : found;
    if (mine !== asked || !open) return;
    if (items.length === 0) return list.hide();
    list.show(items, open.text, rangeIn(open.text, open.at, open.at + 1));
  };
  const pick = (item: Item | undefined) => {
    const now = queryNow();
    const { text, at } = open ?? {};
    end();
    if (now && item && text && at !== undefined) put(item, text, at, now.caret.before.length);
  };
  const put = (item: Item, text: HTMLElement, from: number, to: number) => {
    remember();
    const words = rangeIn(text, from, to);
    getSelection()?.setBaseAndExtent(words.startContainer, words.startOffset, words.endContainer, words.endOffset);
    menu.pick(item, text);
  };

  const onInput = (event: Event) => {
    const typed = event instanceof InputEvent && event.inputType.startsWith("insert") ? (event.data ?? "") : "";
    if (open) {
      if (menu.ends && menu.exact && typed === menu.ends) return void pickExact();
      return void show();
    }
    if (!typed.endsWith(menu.sign)) return;
    const caret = textAtCaret(holder);
    if (!caret || !menu.isFor(caret.text)) return;
    const at = caret.before.length - 1;
    if (at > 0 && !/[\s\u00a0(]/.test(caret.before[at - 1]!)) return;
    open = { text: caret.text, at, bySign: false };
    void show();
  };
  /** The item may be long on its way: what was typed meanwhile stays, another menu's sign too, and the caret is behind it again. */
  const pickExact = async () => {
    const [here, caret] = [open, textAtCaret(holder)];
    end();
    if (!here || caret?.text !== here.text) return;
    const { text, at } = here;
    const words = caret.before.slice(at);
    const item = await menu.exact!(words.slice(1, -1));
    const now = textAtCaret(holder);
    if (!item || now?.text !== text || now.before.slice(at, at + words.length) !== words) return;
    const goesOn = now.before.length - at - words.length;
    const next = open;
    open = null; // what is put here is no word of the menu behind it
    put(item, text, at, at + words.length);
    const behind = textAtCaret(holder)?.before.length;
    if (goesOn === 0 || behind === undefined) return;
    if (next?.text === text) open = { ...next, at: next.at + behind - at - words.length };
    const place = rangeIn(text, behind + goesOn, behind + goesOn);
    getSelection()?.collapse(place.startContainer, place.startOffset);
  };
  const onKeyDown = (event: KeyboardEvent) => {
    if (!open || event.isComposing || event.ctrlKey || event.metaKey || event.altKey) return;
    if (event.key === "Escape" && (list.isOpen || open.bySign)) {
      if (open.bySign) rangeIn(open.text, open.at, textAtCaret(holder)?.before.length ?? open.at + 1).deleteContents();
      end();
    } else if (!list.isOpen) return;
    else if (event.key === "ArrowDown") list.move(1);
    else if (event.key === "ArrowUp") list.move(-1);
    else if (event.key === "Enter" || event.key === "Tab") pick(items[list.chosen]);
    else return;
    event.preventDefault();
    event.stopImmediatePropagation();
  };
  /** The caret went somewhere else; an input event says itself what it changes. */
  const onSelection = () => {
    if (open && !queryNow()) end();
  };

  holder.addEventListener("input", onInput);
  window.addEventListener("keydown", onKeyDown, true); // before all others
  document.addEventListener("selectionchange", onSelection);
  return {
    open() {
      const caret = textAtCaret(holder);
      if (!caret) return;
      document.execCommand("insertText", false, menu.sign);
      if (open) open.bySign = true;
    },
    stop() {
      end();
      holder.removeEventListener("input", onInput);
      window.removeEventListener("keydown", onKeyDown, true);
      document.removeEventListener("selectionchange", onSelection);
    },
  };
}
