import { useState } from "react";
import { ApiError } from "../lib/api-client.ts";
import { toasts } from "../lib/toasts.ts";
import { Button, type ButtonProps } from "./button.tsx";

interface DownloadButtonProps extends Omit<ButtonProps, "icon" | "busy" | "onClick"> {
  /** Fetches what is to be kept. */
  file: () => Promise<File>;
  /** What is said when it does not come. */
  failure: string;
}

/** Fetches a file and has the browser keep it. An ended session says so by itself. */
export function DownloadButton({ file, failure, ...button }: DownloadButtonProps) {
  const [busy, setBusy] = useState(false);

  async function save() {
    setBusy(true);
    try {
      keepFile(await file());
    } catch (error) {
      if (error instanceof ApiError && error.code === "unauthenticated") return;
      toasts.error(failure, error instanceof ApiError ? error.message : "Please try again later");
    } finally {
      setBusy(false);
    }
  }

  return <Button {...button} icon="download" busy={busy} onClick={() => void save()} />;
}

/** Has the browser keep a file as it keeps every download. */
function keepFile(file: File): void {
  const link = document.createElement("a");
  link.href = URL.createObjectURL(file);
  link.download = file.name;
  link.click();
  setTimeout(() => URL.revokeObjectURL(link.href), 60_000); // a browser that asks where to keep it still needs it
}
