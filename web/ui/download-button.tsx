import { useState } from "react";
import { toasts } from "../lib/toasts.ts";
import { Button, type ButtonProps } from "./button.tsx";

interface DownloadButtonProps extends Omit<ButtonProps, "icon" | "busy" | "onClick"> {
  file: () => Promise<File>;
  failure: string;
}

/** Downloads a file. An ended session is reported elsewhere. */
export function DownloadButton({ file, failure, ...button }: DownloadButtonProps) {
  const [busy, setBusy] = useState(false);

  async function save() {
    setBusy(true);
    try {
      saveFile(await file());
    } catch (error) {
      toasts.failure(failure, error);
    } finally {
      setBusy(false);
    }
  }

  return <Button {...button} icon="download" busy={busy} onClick={() => void save()} />;
}

function saveFile(file: File): void {
  const link = document.createElement("a");
  link.href = URL.createObjectURL(file);
  link.download = file.name;
  link.click();
  setTimeout(() => URL.revokeObjectURL(link.href), 60_000); // time for a "Save as" dialog
}
