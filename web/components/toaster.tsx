import { useEffect } from "react";
import { toast, Toaster as Sonner } from "sonner";
import { toastMs } from "../lib/timings.ts";
import { keepFocus } from "./return-focus.ts";
import "./toaster.css";
import { toasterStands } from "../lib/toasts.ts";

/** Where messages appear; a chunk of its own. Numbers: specification, section 9. */
export default function Toaster() {
  useEffect(() => toasterStands(toast), []);
  useEffect(() => {
    document.addEventListener("click", keepFocusOfMessage, true);
    return () => document.removeEventListener("click", keepFocusOfMessage, true);
  }, []);
  return (
    <Sonner
      position="bottom-right"
      duration={toastMs}
      visibleToasts={3}
      gap={14}
      offset={24}
      hotkey={["altKey", "KeyT"]}
      closeButton
      containerAriaLabel="Messages"
    />
  );
}

/** A message goes with the button in it that was pressed. What had the focus before gets it back from sonner, unless it is gone, too. */
function keepFocusOfMessage({ target }: MouseEvent): void {
  if (target instanceof Element && target.closest("[data-sonner-toast] button")) keepFocus();
}
