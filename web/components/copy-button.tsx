import { useEffect, useState } from "react";
import { copiedMs } from "../lib/timings.ts";
import { toasts } from "../lib/toasts.ts";
import { Button } from "./button.tsx";

interface CopyButtonProps {
  text: string;
  /** Completes the button's name: "Copy the public address". */
  what: string;
  onCopied?: () => void;
}

/** 'Copy', then 'Copied' for 3 s. */
export function CopyButton({ text, what, onCopied }: CopyButtonProps) {
  const [copied, setCopied] = useState(false);
  useEffect(() => {
    if (!copied) return;
    const timer = setTimeout(() => setCopied(false), copiedMs);
    return () => clearTimeout(timer);
  }, [copied]);

  async function copy() {
    try {
      await navigator.clipboard.writeText(text);
      setCopied(true);
      onCopied?.();
    } catch {
      toasts.error("It could not be copied", "Your browser does not allow it here. Select the text and copy it yourself.");
    }
  }

  return (
    <Button
      variant="quiet"
      size="small"
      icon={copied ? "check" : "copy"}
      aria-label={`${copied ? "Copied" : "Copy"} ${what}`}
      onClick={() => void copy()}
    >
      <span aria-live="polite">{copied ? "Copied" : "Copy"}</span>
    </Button>
  );
}
