import { useEffect, useState } from "react";
import type { WidgetData } from "#contract/releases.ts";
import { useLatest } from "../../lib/use-latest.ts";
import { type FrameWindow, type PreviewFrame, startPreview } from "./preview-frame.ts";

/** Keeps a widget frame up to date; pass the result to the frame's onLoad. */
export function usePreview(dataOf: (open: boolean) => WidgetData): (frame: HTMLIFrameElement) => void {
  const [preview, setPreview] = useState<PreviewFrame>();
  const latest = useLatest(dataOf);
  useEffect(() => preview?.draw(), [preview, dataOf]);

  return ({ contentWindow }) => {
    if (!contentWindow) return;
    startPreview(contentWindow as FrameWindow, (open) => latest.current(open)).then(setPreview, (error: unknown) => console.warn(error));
  };
}
