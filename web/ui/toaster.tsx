import { useEffect } from "react";
import { createPortal } from "react-dom";
import { toast, Toaster as Sonner } from "sonner";
import { toastMs } from "../lib/timings.ts";
import { leaveToast } from "./return-focus.ts";
import "./toaster.css";
import { toasterMounted } from "../lib/toasts.ts";

/** Lazy chunk. Numbers: specification, section 9. */
export default function Toaster() {
  useEffect(() => toasterMounted(toast), []);
  useEffect(() => {
    document.addEventListener("click", returnFocusFromToast, true);
    return () => document.removeEventListener("click", returnFocusFromToast, true);
  }, []);
  return createPortal(
    <Sonner
      position="bottom-right"
      duration={toastMs}
      visibleToasts={3}
      gap={14}
      offset={24}
      hotkey={["altKey", "KeyT"]}
      closeButton
      containerAriaLabel="Messages"
    />,
    document.body, // above dialogs: #root is isolated
  );
}

function returnFocusFromToast({ target, detail }: MouseEvent): void {
  const button = target instanceof Element && target.closest<HTMLElement>("[data-sonner-toast] button");
  if (button) leaveToast(button, detail);
}
