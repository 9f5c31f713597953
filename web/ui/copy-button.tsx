import { useEffect, useState } from "react";
import { copiedMs } from "../lib/timings.ts";
import { toasts } from "../lib/toasts.ts";
import { Button } from "./button.tsx";

interface CopyButtonProps {
  text: string;
  /** Completes the accessible name: "Copy the public URL". */
  label: string;
  onCopied?: () => void;
}

export function CopyButton({ text, label, onCopied }: CopyButtonProps) {
  const { copied, copy } = useCopied(onCopied);
  return (
    <Button
      variant="quiet"
      size="small"
      icon={copied ? "check" : "copy"}
      aria-label={`${copied ? "Copied" : "Copy"} ${label}`}
      onClick={() => void copy(text)}
    >
      <span aria-live="polite">{copied ? "Copied" : "Copy"}</span>
    </Button>
  );
}

/** `copied` for 3 s. Source: specification, sections 8 and 9. */
export function useCopied(onCopied?: () => void) {
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
      onCopied?.();
    } catch {
      toasts.error("Couldn't copy", "Your browser blocked it. Select the text and copy it manually.");
    }
  }
  return { copied, copy };
}
