import type { Ref } from "react";
import css from "./editor.module.css";

export function EarlyText({ ref, onChange }: { ref: Ref<HTMLTextAreaElement>; onChange(): void }) {
  // oxlint-disable-next-line jsx-a11y/no-autofocus -- the user just moved from the title into the text
  return <textarea ref={ref} className={css.early} data-writing-field aria-label="Post content" rows={1} autoFocus onInput={onChange} />;
}
