import { cloneElement, useEffect, useId, useRef, useState, type ReactElement } from "react";
import { tooltipHideMs, tooltipShowMs } from "./timing.ts";
import { classNames } from "../lib/class-names.ts";
import { openPopover } from "../lib/open-popover.ts";
import css from "./overlay.module.css";

interface TooltipProps {
  text: string;
  /** True if the text is the child's accessible name, so it isn't repeated as its description. */
  names?: boolean;
  children: ReactElement<{ "aria-describedby"?: string }>;
}

/** Shows on hover or focus; Escape hides it. */
export function Tooltip({ text, names = false, children }: TooltipProps) {
  const id = useId();
  const anchor = useRef<HTMLSpanElement>(null);
  const timer = useRef<ReturnType<typeof setTimeout>>(undefined);
  const [place, setPlace] = useState<{ left: number; top: number; below: boolean }>();
  useEffect(() => () => clearTimeout(timer.current), []);

  function after(ms: number, act: () => void) {
    clearTimeout(timer.current);
    timer.current = setTimeout(act, ms);
  }
  const appear = () => after(tooltipShowMs, () => setPlace(placeBeside(anchor.current)));
  const hide = () => after(tooltipHideMs, () => setPlace(undefined));

  return (
    <span
      ref={anchor}
      className={css.anchor}
      onPointerEnter={(event) => event.pointerType !== "touch" && appear()}
      onPointerLeave={hide}
      onFocus={(event) => event.target.matches(":focus-visible") && appear()}
      onBlur={hide}
      onPointerDown={() => after(0, () => setPlace(undefined))}
      onKeyDown={(event) => event.key === "Escape" && setPlace(undefined)}
    >
      {names ? children : cloneElement(children, { "aria-describedby": place ? id : undefined })}
      {place && (
        <span
          ref={show}
          popover="manual"
          id={id}
          role="tooltip"
          className={classNames(css.tooltip, place.below && css.below)}
          style={{ left: place.left, top: place.top }}
        >
          {text}
        </span>
      )}
    </span>
  );
}

const roomAbove = 48; // px: one line of tooltip with its gap
const margin = 8; // px to the window's edge

function placeBeside(anchor: HTMLElement | null) {
  const box = (anchor?.firstElementChild ?? anchor)?.getBoundingClientRect();
  if (!box) return undefined;
  const below = box.top < roomAbove;
  return { left: box.left + box.width / 2, top: below ? box.bottom : box.top, below };
}

function show(tooltip: HTMLElement | null) {
  if (!tooltip) return;
  openPopover(tooltip);
  const half = tooltip.offsetWidth / 2 + margin;
  const left = Math.min(Math.max(Number.parseFloat(tooltip.style.left), half), window.innerWidth - half);
  tooltip.style.left = `${left}px`;
}
