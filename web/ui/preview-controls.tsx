import { useState } from "react";
import type { Theme } from "#contract/appearance-choices.ts";
import { ChoiceGroup } from "./choice-group.tsx";
import { useIsMobile, useMediaQuery } from "../lib/use-media-query.ts";

const widths = [
  { value: "desktop", label: "Desktop", icon: "desktop" },
  { value: "phone", label: "Phone", icon: "mobile" },
] as const;
const sides = [
  { value: "light", label: "Light", icon: "sun" },
  { value: "dark", label: "Dark", icon: "moon" },
] as const;
/** In pixels. */
export const phoneWidth = 390;

export type PreviewWidth = (typeof widths)[number]["value"];
export type PreviewSide = (typeof sides)[number]["value"];

/** Width and color scheme of a preview, at first the user's own. `theme`: the page's; only "system" lets readers choose. */
export function usePreviewView(theme: Theme) {
  const onPhone = useIsMobile();
  const isDark = useMediaQuery("(prefers-color-scheme: dark)");
  const [width, setWidth] = useState<PreviewWidth>();
  const [side, setSide] = useState<PreviewSide>();
  return {
    width: width ?? (onPhone ? "phone" : "desktop"),
    side: theme === "system" ? (side ?? (isDark ? "dark" : "light")) : theme,
    isFixed: theme !== "system",
    setWidth,
    setSide,
  };
}

export function WidthChoice({ width, setWidth }: Pick<ReturnType<typeof usePreviewView>, "width" | "setWidth">) {
  return <ChoiceGroup legend="Page width" hideLegend choices={widths} value={width} onChange={setWidth} />;
}

export function SideChoice({ side, isFixed, setSide }: Pick<ReturnType<typeof usePreviewView>, "side" | "isFixed" | "setSide">) {
  return <ChoiceGroup legend="Preview on" hideLegend disabled={isFixed} choices={sides} value={side} onChange={setSide} />;
}
