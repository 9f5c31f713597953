import { useEffect, useRef, type ReactNode } from "react";
import { classNames } from "../../lib/class-names.ts";
import { usePageTitle } from "../../lib/use-page-title.ts";
import css from "./step-frame.module.css";

/** One step's heading and content; slides out and in, and its heading has the focus when it has come in. */
export function StepFrame({ title, moving, children }: { title: string; moving: "in" | "out" | undefined; children: ReactNode }) {
  usePageTitle(title);
  const heading = useRef<HTMLHeadingElement>(null);
  useEffect(() => heading.current?.focus({ preventScroll: true }), []);
  return (
    <div className={classNames(css.step, moving && css[moving])} aria-busy={moving !== undefined}>
      <h1 ref={heading} tabIndex={-1}>
        {title}
      </h1>
      {children}
    </div>
  );
}
