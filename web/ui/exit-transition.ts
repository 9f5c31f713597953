import { type RefObject, useLayoutEffect } from "react";
import type { Dialog } from "primereact/dialog";
import { dialogCloseMs } from "./timing.ts";

/** Fades out an inert copy of the closing dialog, so focus and keys never wait. Source: specification, section 9 ("Dialog close delay"). */
export function useExitTransition(dialog: RefObject<Dialog | null>): void {
  useLayoutEffect(
    () => () => {
      const mask = dialog.current?.getMask();
      if (mask && !matchMedia("(prefers-reduced-motion: reduce)").matches) fadeCopyOf(mask);
    },
    [dialog],
  );
}

function fadeCopyOf(mask: HTMLElement): void {
  const copy = mask.cloneNode(true) as HTMLElement;
  copy.inert = true;
  copy.ariaHidden = "true";
  for (const element of copy.querySelectorAll("[id]")) element.removeAttribute("id");
  for (const frame of copy.querySelectorAll("iframe")) for (const source of ["src", "srcdoc"]) frame.removeAttribute(source);
  document.body.append(copy);
  const [before, after] = [mask, copy].map((one) => one.querySelector(".p-dialog-content"));
  if (before && after) after.scrollTop = before.scrollTop;
  const fade = copy.animate([{ opacity: 1 }, { opacity: 0 }], { duration: dialogCloseMs, fill: "forwards" });
  fade.onfinish = fade.oncancel = () => copy.remove();
}
