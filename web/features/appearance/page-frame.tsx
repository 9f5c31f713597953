import { type CSSProperties, useEffect, useRef, useState } from "react";
import { asWritten } from "../../lib/trusted-types.ts";
import css from "./look-preview.module.css";

interface Written {
  id: number;
  html: string;
}

/**
 * The public page as the server made it, in a frame that runs nothing, is of no origin and opens no window. A newer one is drawn behind it and
 * takes its place once it is there: nothing flashes while somebody tries colours.
 */
export function PageFrame({ html, style }: { html: string; style: CSSProperties }) {
  const [pages, setPages] = useState<readonly Written[]>([]);
  useEffect(() => setPages((shown) => [...shown.slice(-1), { id: (shown.at(-1)?.id ?? 0) + 1, html }]), [html]);
  return pages.map((page, index) => (
    <OnePage
      key={page.id}
      html={page.html}
      style={style}
      isBehind={index > 0}
      onLoad={() => setPages((shown) => shown.filter(({ id }) => id >= page.id))}
    />
  ));
}

function OnePage({ html, style, isBehind, onLoad }: { html: string; style: CSSProperties; isBehind: boolean; onLoad: () => void }) {
  const frame = useRef<HTMLIFrameElement>(null);
  useEffect(() => {
    if (frame.current) frame.current.srcdoc = asWritten(html);
  }, [html]);
  return (
    <iframe
      ref={frame}
      sandbox=""
      className={css.frame}
      style={{ ...style, visibility: isBehind ? "hidden" : undefined }}
      aria-hidden={isBehind || undefined}
      tabIndex={isBehind ? -1 : undefined}
      title={isBehind ? undefined : "Preview of your page"}
      onLoad={onLoad}
    />
  );
}
