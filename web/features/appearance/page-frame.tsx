import { type CSSProperties, useEffect, useRef, useState } from "react";
import { trustedFrameHtml } from "../../lib/trusted-types.ts";
import css from "./appearance.module.css";

interface PageVersion {
  id: number;
  html: string;
}

/** Server-rendered page in a sandboxed frame. A new version loads behind the old one, so nothing flickers. */
export function PageFrame({ html, style }: { html: string; style: CSSProperties }) {
  const [pages, setPages] = useState<readonly PageVersion[]>([]);
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
    if (frame.current) frame.current.srcdoc = trustedFrameHtml(html);
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
