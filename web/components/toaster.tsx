import { useEffect } from "react";
import { createPortal } from "react-dom";
import { toast, Toaster as Sonner } from "sonner";
import { toastMs } from "../lib/timings.ts";
import { leaveMessage } from "./return-focus.ts";
import "./toaster.css";
import { toasterStands } from "../lib/toasts.ts";

/** Where messages appear; a chunk of its own. Numbers: specification, section 9. */
export default function Toaster() {
  useEffect(() => toasterStands(toast), []);
  useEffect(() => {
    document.addEventListener("click", keepFocusOfMessage, true);
    return () => document.removeEventListener("click", keepFocusOfMessage, true);
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
    document.body, // #root is isolated, and dialogs lie over it
  );
}

function keepFocusOfMessage({ target, detail }: MouseEvent): void {
  const button = target instanceof Element && target.closest<HTMLElement>("[data-sonner-toast] button");
  if (button) leaveMessage(button, detail);
}
