import css from "./invite-dialog.module.css";

/** The link itself, selected as a whole when it is touched. */
export function InviteUrl({ url }: { url: string }) {
  return <input className={css.url} readOnly aria-label="Invitation link" value={url} onFocus={(event) => event.target.select()} />;
}
