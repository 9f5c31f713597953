import { type CSSProperties, type ReactNode, useLayoutEffect, useRef, useState } from "react";
import css from "./appearance.module.css";

interface ScaledProps {
  /** Viewport width in pixels, scaled down to fit. */
  width: number;
  /** Minimum viewport height; a low container scales down more. */
  minHeight?: number;
  children: (style: CSSProperties) => ReactNode;
}

/** A viewport scaled to its container, centred if narrower. */
export function Scaled({ width, minHeight, children }: ScaledProps) {
  const place = useRef<HTMLDivElement>(null);
  const [room, setRoom] = useState({ width: 0, height: 0 });
  useLayoutEffect(() => {
    const element = place.current;
    if (!element) return;
    const measure = () => setRoom({ width: element.clientWidth, height: element.clientHeight });
    measure();
    const observer = new ResizeObserver(measure);
    observer.observe(element);
    return () => observer.disconnect();
  }, []);
  const byHeight = minHeight && room.height > 0 ? room.height / minHeight : 1;
  const scale = room.width === 0 ? 1 : Math.min(1, room.width / width, byHeight);
  const viewportWidth = byHeight < 1 ? Math.max(width, room.width / scale) : width;
  const visibleWidth = Math.min(viewportWidth, room.width || viewportWidth);
  return (
    <div ref={place} className={css.place}>
      {children({
        width: viewportWidth,
        height: room.height === 0 ? "100%" : room.height / scale,
        insetInlineStart: Math.max(0, (room.width - visibleWidth) / 2),
        transform: scale === 1 ? undefined : `scale(${scale})`,
      })}
    </div>
  );
}
