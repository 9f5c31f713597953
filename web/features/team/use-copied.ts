import { useEffect, useState } from "react";
import { copiedMs } from "../../lib/timings.ts";
import { toasts } from "../../lib/toasts.ts";

/** Copies an invitation link; `copied` holds for 3 s. Source: specification, sections 8 and 9. */
export function useCopied(): { copied: boolean; copy: (text: string) => Promise<void> } {
  const [copied, setCopied] = useState(false);
  useEffect(() => {
    if (!copied) return;
    const timer = setTimeout(() => setCopied(false), copiedMs);
    return () => clearTimeout(timer);
  }, [copied]);

  async function copy(text: string) {
    try {
      await navigator.clipboard.writeText(text);
      setCopied(true);
      toasts.success("Link copied to clipboard");
    } catch {
      toasts.error("It could not be copied", "Your browser does not allow it here. Select the link and copy it yourself.");
    }
  }
  return { copied, copy };
}
