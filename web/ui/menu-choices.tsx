import { Fragment, useEffect, useLayoutEffect, useRef, type KeyboardEvent } from "react";
import { classNames } from "../lib/class-names.ts";
import { openPopover } from "../lib/open-popover.ts";
import { useOverlayOpen } from "./dialog-queue.ts";
import { Icon, type IconName } from "./icon.tsx";
import { Note } from "./layout.tsx";
import { keepFocus } from "./return-focus.ts";
import css from "./overlay.module.css";

export interface MenuChoice {
  label: string;
  icon?: IconName;
  current?: boolean;
  danger?: boolean;
  apart?: boolean;
  /** Shortcut as displayed and for `aria-keyshortcuts`. */
  keys?: { shown: string; aria: string };
  onChoose: () => void;
}

/** Window pixels. */
export type MenuPlace = { top?: number; bottom?: number; left?: number; right?: number; minWidth: number };

const edge = 8; // px kept free at the window's sides

interface MenuChoicesProps {
  id: string;
  name: string | undefined;
  heading: string | undefined;
  place: MenuPlace;
  choices: readonly MenuChoice[];
  opener: HTMLElement | null;
  onClose: (giveFocusBack: boolean) => void;
}

/** Open menu: arrows, Home, End and first letters move, Enter selects, Escape, Tab and outside clicks close. */
export function MenuChoices({ id, name, heading, place, choices, opener, onClose }: MenuChoicesProps) {
  const menu = useRef<HTMLDivElement>(null);
  useLayoutEffect(() => {
    openPopover(menu.current);
    keepInWindow(menu.current, place);
  }, [place]);
  useFirstFocus(menu, choices);
  useOverlayOpen();
  useCloseElsewhere(menu, opener, onClose);

  function onKeyDown(event: KeyboardEvent) {
    if (event.key === "Escape" || event.key === "Tab") {
      event.stopPropagation();
      return onClose(true);
    }
    const next = nextIndex(event.key, items(menu.current).indexOf(document.activeElement as HTMLElement), choices);
    if (next === undefined) return;
    event.preventDefault();
    items(menu.current)[next]?.focus();
  }

  return (
    <div ref={menu} popover="manual" id={id} role="menu" aria-label={name} className={css.menu} style={place} onKeyDown={onKeyDown}>
      {heading && (
        <Note className={css.heading} aria-hidden="true">
          {heading}
        </Note>
      )}
      {choices.map((choice, index) => (
        <Fragment key={index}>
          {choice.apart && <hr className={css.separator} />}
          <button
            type="button"
            role={choice.current === undefined ? "menuitem" : "menuitemradio"}
            aria-checked={choice.current}
            aria-keyshortcuts={choice.keys?.aria}
            tabIndex={-1}
            className={classNames(css.item, choice.current && css.current, choice.danger && css.danger)}
            onClick={(event) => {
              onClose(true);
              keepFocus(event); // the focused opener may disappear with the action
              choice.onChoose();
            }}
          >
            {choice.current ? <Icon name="check" /> : choice.icon && <Icon name={choice.icon} />}
            <span>{choice.label}</span>
            {choice.keys && (
              <kbd className={css.keys} aria-hidden="true">
                {choice.keys.shown}
              </kbd>
            )}
          </button>
        </Fragment>
      ))}
    </div>
  );
}

/** Limits the menu to the window. Needs its rendered width. */
function keepInWindow(menu: HTMLElement | null, { top, bottom }: MenuPlace): void {
  if (!menu) return;
  const { clientWidth, clientHeight } = document.documentElement;
  menu.style.maxHeight = `${clientHeight - (top ?? bottom ?? 0) - edge}px`;
  const { left, right } = menu.getBoundingClientRect();
  const most = clientWidth - edge;
  if (right > most) menu.style.left = `${Math.max(edge, left - (right - most))}px`;
  else if (left < edge) menu.style.right = `${Math.max(edge, most - (right - left))}px`;
}

type MenuRef = { readonly current: HTMLDivElement | null };

const items = (menu: HTMLElement | null): HTMLElement[] => [...(menu?.querySelectorAll<HTMLElement>("button") ?? [])];

function useFirstFocus(menu: MenuRef, choices: readonly MenuChoice[]) {
  const first = useRef(
    Math.max(
      0,
      choices.findIndex((choice) => choice.current),
    ),
  );
  useEffect(() => items(menu.current)[first.current]?.focus(), [menu]);
}

function useCloseElsewhere(menu: MenuRef, opener: HTMLElement | null, onClose: (giveFocusBack: boolean) => void) {
  useEffect(() => {
    const pressed = ({ target }: Event) => {
      if (target instanceof Node && !menu.current?.contains(target) && !opener?.contains(target)) onClose(false);
    };
    const resized = () => onClose(false);
    document.addEventListener("pointerdown", pressed);
    window.addEventListener("resize", resized);
    return () => {
      document.removeEventListener("pointerdown", pressed);
      window.removeEventListener("resize", resized);
    };
  });
}

function nextIndex(key: string, index: number, choices: readonly MenuChoice[]): number | undefined {
  const count = choices.length;
  if (key === "ArrowDown") return (index + 1) % count;
  if (key === "ArrowUp") return (index - 1 + count) % count;
  if (key === "Home") return 0;
  if (key === "End") return count - 1;
  if (key.length !== 1) return undefined;
  const typed = key.toLowerCase();
  const offset = choices.findIndex((_, step) => choices[(index + 1 + step) % count]?.label.toLowerCase().startsWith(typed));
  return offset < 0 ? undefined : (index + 1 + offset) % count;
}
