import { useEffect } from "react";
import { toast, Toaster as Sonner } from "sonner";
import { toastMs } from "../lib/timings.ts";
import "./toaster.css";
import { toasterStands } from "../lib/toasts.ts";

/** Where messages appear; a chunk of its own. Numbers: specification, section 9. */
export default function Toaster() {
  useEffect(() => toasterStands(toast), []);
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
