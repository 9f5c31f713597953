import { useLayoutEffect } from "react";
import { countPlaceholder } from "../lib/shell.ts";
import { pageLoadingMs } from "../lib/timings.ts";
import { Logo } from "./logo.tsx";
import css from "./loading.module.css";

/** Full-page placeholder, visible only on slow loads. Source: specification, section 9 ("Page-loading placeholder"). */
export function PageLoading() {
  useLayoutEffect(countPlaceholder, []);
  return (
    <div className={css.page} role="status">
      <span className={css.mark} style={{ animationDuration: `${pageLoadingMs}ms` }}>
        <Logo mark />
      </span>
      <span className="visually-hidden">Loading</span>
    </div>
  );
}
