import css from "./invite-dialog.module.css";

/** Selects the link on focus. */
export function InviteUrl({ url }: { url: string }) {
  return <input className={css.url} readOnly aria-label="Invitation link" value={url} onFocus={(event) => event.target.select()} />;
}
