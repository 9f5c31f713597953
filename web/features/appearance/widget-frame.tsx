import { type CSSProperties, useCallback, useEffect, useRef } from "react";
import type { WidgetData } from "#contract/releases.ts";
import { samplePageHtml } from "../widget-settings/preview-frame.ts";
import { usePreview } from "../widget-settings/use-preview.ts";
import { widgetTheme } from "./values.ts";
import css from "./appearance.module.css";

interface WidgetFrameProps {
  data: WidgetData;
  /** System theme of reader and site. */
  side: "light" | "dark";
  style: CSSProperties;
}

/** The released widget with preview data. */
export function WidgetFrame({ data, side, style }: WidgetFrameProps) {
  const theme = widgetTheme(data.settings.appearance.theme, side);
  const dataOf = useCallback(
    (open: boolean): WidgetData => ({
      ...data,
      settings: {
        ...data.settings,
        appearance: { ...data.settings.appearance, theme },
        behaviour: { ...data.settings.behaviour, delay: 0, autoOpenNewPosts: open },
      },
    }),
    [data, theme],
  );
  const start = usePreview(dataOf);
  const frame = useRef<HTMLIFrameElement>(null);
  const applyColorScheme = () => {
    // Null between two documents; set again on load.
    const root = frame.current?.contentDocument?.documentElement as HTMLElement | null | undefined;
    root?.style.setProperty("color-scheme", side);
  };
  useEffect(() => void applyColorScheme());
  return (
    // oxlint-disable-next-line react/iframe-missing-sandbox -- our own page and script, which this page feeds with data
    <iframe
      ref={frame}
      className={css.frame}
      style={style}
      title="Preview of the widget"
      srcDoc={samplePageHtml}
      onLoad={(event) => {
        applyColorScheme();
        start(event.currentTarget);
      }}
    />
  );
}
