import { pageLoadingMs } from "../lib/timings.ts";
import { Logo } from "./logo.tsx";
import css from "./page-loading.module.css";

/**
 * The whole page while its code or its session is on the way; only visible when that takes a moment, and gone with the wait. It breathes once
 * in 1000 ms. Source: specification, section 9 ("Page-loading placeholder").
 */
export function PageLoading() {
  return (
    <div className={css.page} role="status">
      <span className={css.mark} style={{ animationDuration: `${pageLoadingMs}ms` }}>
        <Logo mark />
      </span>
      <span className="visually-hidden">Loading</span>
    </div>
  );
}
