import css from "./icon.module.css";

export function Logo({ mark = false }: { mark?: boolean }) {
  return (
    <span className={css.logo}>
      <svg viewBox="0 0 32 32" className={css.mark} aria-hidden="true">
        <rect width="32" height="32" rx="8" />
        <path d="M8 10h16M16 10v13.5" strokeWidth="3.5" />
        <path d="M8 17h3.5M8 22.5h3.5" strokeWidth="2.25" />
        <circle cx="23" cy="19.75" r="2.4" />
      </svg>
      <span className={mark ? "visually-hidden" : undefined}>Tidings</span>
    </span>
  );
}
