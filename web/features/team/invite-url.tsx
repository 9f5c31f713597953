import { Input } from "../../ui/input.tsx";

/** Selects the link on focus. */
export function InviteUrl({ url }: { url: string }) {
  return <Input readOnly aria-label="Invitation link" value={url} onFocus={(event) => event.target.select()} />;
}
