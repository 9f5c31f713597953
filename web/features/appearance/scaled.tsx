import { type CSSProperties, type ReactNode, useLayoutEffect, useRef, useState } from "react";
import css from "./look-preview.module.css";

interface ScaledProps {
  /** Of the window that is shown, in pixels; it is drawn smaller where there is less room. */
  width: number;
  /** Of the window that is shown, at least: a low place makes it smaller, and wider. */
  minHeight?: number;
  children: (style: CSSProperties) => ReactNode;
}

/** A window of its own width, made as small as its place; narrower than that it stands in the middle. */
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
  const whole = byHeight < 1 ? Math.max(width, room.width / scale) : width;
  const shown = Math.min(whole, room.width || whole);
  return (
    <div ref={place} className={css.place}>
      {children({
        width: whole,
        height: room.height === 0 ? "100%" : room.height / scale,
        insetInlineStart: Math.max(0, (room.width - shown) / 2),
        transform: scale === 1 ? undefined : `scale(${scale})`,
      })}
    </div>
  );
}
