import { type FocusEvent, type KeyboardEvent, useLayoutEffect, useRef } from "react";

/** Makes a toolbar one tab stop, in which arrow keys, Home and End move. Source: ARIA Authoring Practices Guide, "Toolbar Pattern". */
export function useRovingFocus() {
  const ref = useRef<HTMLDivElement>(null);
  const stop = useRef<Element>(null);
  const buttons = () => [...ref.current!.querySelectorAll<HTMLElement>("button:not([role])")];

  function keepOneStop() {
    const all = buttons();
    const current = all.find((button) => button === stop.current) ?? all[0];
    for (const button of all) button.tabIndex = button === current ? 0 : -1;
  }
  useLayoutEffect(keepOneStop); // buttons come and go

  function onFocus({ target }: FocusEvent) {
    stop.current = target;
    keepOneStop();
  }

  function onKeyDown(event: KeyboardEvent) {
    const all = buttons();
    const place = all.findIndex((button) => button === event.target);
    const next = { ArrowRight: place + 1, ArrowLeft: place - 1, Home: 0, End: -1 }[event.key];
    if (place === -1 || next === undefined) return;
    event.preventDefault();
    all.at(next % all.length)?.focus();
  }
  return { ref, onFocus, onKeyDown };
}
