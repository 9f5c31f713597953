import { rangeIn, type TextAtCaret, textAtCaret } from "../text-at-caret.ts";
import { type CaretMenu, type Choice, createCaretMenu } from "./caret-menu.ts";

export interface TypedMenu<Item extends Choice> {
  label: string;
  sign: string;
  from: number;
  query: RegExp;
  isFor(text: HTMLElement): boolean;
  find(query: string): Item[] | Promise<Item[]>;
  /** Called with the sign and the query selected. */
  pick(item: Item, text: HTMLElement): void;
  ends?: string;
  exact?(query: string): Promise<Item | undefined>;
}

export interface RunningMenu {
  open(): void;
  stop(): void;
}

/** Follows the text after a menu's sign. Calls `recordUndo` before a pick, so that undo restores the typed text. */
export function listenForTypedMenu<Item extends Choice>(holder: HTMLElement, menu: TypedMenu<Item>, recordUndo: () => void): RunningMenu {
  let open: { text: HTMLElement; at: number; bySign: boolean } | null = null;
  let items: Item[] = [];
  let latestSearch = 0;
  const list: CaretMenu = createCaretMenu(holder, menu.label, (place) => pick(items[place]));

  const end = () => {
    open = null;
    latestSearch++;
    items = [];
    list.hide();
  };
  const currentQuery = (): { query: string; caret: TextAtCaret } | null => {
    const caret = textAtCaret(holder);
    if (!open || !caret || caret.text !== open.text || caret.before[open.at] !== menu.sign) return null;
    const query = caret.before.slice(open.at + 1);
    return menu.query.test(query) ? { query, caret } : null;
  };
  const show = async () => {
    const typed = currentQuery();
    if (!typed || !open) return end();
    const search = ++latestSearch;
    if (typed.query.length < menu.from) return list.hide();
    const matches = menu.find(typed.query);
    items = matches instanceof Promise ? await matches : matches;
    if (search !== latestSearch || !open) return;
    if (items.length === 0) return list.hide();
    list.show(items, open.text, rangeIn(open.text, open.at, open.at + 1));
  };
  const pick = (item: Item | undefined) => {
    const typed = currentQuery();
    const { text, at } = open ?? {};
    end();
    if (typed && item && text && at !== undefined) put(item, text, at, typed.caret.before.length);
  };
  const put = (item: Item, text: HTMLElement, from: number, to: number) => {
    recordUndo();
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
  /** Race: the exact match may load slowly. Text typed meanwhile stays, with the caret and another open menu. */
  const pickExact = async () => {
    const [opened, caret] = [open, textAtCaret(holder)];
    end();
    if (!opened || caret?.text !== opened.text) return;
    const { text, at } = opened;
    const words = caret.before.slice(at);
    const item = await menu.exact!(words.slice(1, -1));
    const current = textAtCaret(holder);
    if (!item || current?.text !== text || current.before.slice(at, at + words.length) !== words) return;
    const typedAfter = current.before.length - at - words.length;
    const next = open;
    open = null; // the inserted text isn't part of a menu opened meanwhile
    put(item, text, at, at + words.length);
    const behind = textAtCaret(holder)?.before.length;
    if (typedAfter === 0 || behind === undefined) return;
    if (next?.text === text) open = { ...next, at: next.at + behind - at - words.length };
    const place = rangeIn(text, behind + typedAfter, behind + typedAfter);
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
  const onSelection = () => {
    if (open && !currentQuery()) end();
  };

  holder.addEventListener("input", onInput);
  window.addEventListener("keydown", onKeyDown, true);
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
