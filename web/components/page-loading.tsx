import { Logo } from "./logo.tsx";
import css from "./page-loading.module.css";

/** The whole page while its code or its session is on the way; only visible when that takes a moment. */
export function PageLoading() {
  return (
    <div className={css.page} role="status">
      <Logo mark />
      <span className="visually-hidden">Loading</span>
    </div>
  );
}
