import { useState } from "react";
import { classNames } from "../lib/class-names.ts";
import css from "./icon.module.css";

export function Avatar({
  name,
  src,
  square = false,
  large = false,
}: {
  name: string;
  src: string | null | undefined;
  square?: boolean;
  large?: boolean;
}) {
  const [broken, setBroken] = useState<string>();
  return (
    <span className={classNames(css.avatar, square && css.square, large && css.largeAvatar)} aria-hidden="true">
      {src && src !== broken ? <img src={src} alt="" onError={() => setBroken(src)} /> : initials(name)}
    </span>
  );
}

/** "Ada Lovelace" → "AL"; blank → "?". */
function initials(name: string): string {
  const words = name.trim().split(/\s+/).filter(Boolean);
  const letters = words.length > 1 ? [words[0], words.at(-1)] : words;
  return (
    letters
      .map((word) => [...(word ?? "")][0] ?? "")
      .join("")
      .toUpperCase() || "?"
  );
}
