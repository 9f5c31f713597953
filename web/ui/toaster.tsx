import { useEffect } from "react";
import { createPortal } from "react-dom";
import { toast, Toaster as Sonner } from "sonner";
import { toastMs } from "../lib/timings.ts";
import { useIsMobile } from "../lib/use-media-query.ts";
import { useIsOverlayOpen } from "./dialog-queue.ts";
import { leaveToast } from "./return-focus.ts";
import "./toaster.css";
import { toasterMounted } from "../lib/toasts.ts";

/** Lazy chunk. Numbers: specification, section 9. */
export default function Toaster() {
  const coversDialog = useIsOverlayOpen();
  const mobile = useIsMobile();
  useEffect(() => toasterMounted(toast), []);
  useEffect(() => {
    document.addEventListener("click", returnFocusFromToast, true);
    return () => document.removeEventListener("click", returnFocusFromToast, true);
  }, []);
  return createPortal(
    <Sonner
      position={mobile && coversDialog ? "top-center" : "bottom-right"} // a phone's dialog has its buttons at the bottom
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
