import { WarningBox } from "../../ui/form-error.tsx";
import { useCurrentWorkspace } from "./current-workspace.tsx";
import { Text } from "../../ui/layout.tsx";
import css from "./workspaces.module.css";

/** Above every page of a suspended workspace. */
export function SuspensionNotice() {
  const { suspension } = useCurrentWorkspace().workspace;
  if (!suspension) return null;
  const { message, contact } = suspension;
  return (
    <WarningBox role="note" className={css.notice}>
      <Text strong>This workspace is suspended</Text>
      <p>Readers can't see its changelog. You can read and export posts, but not change or publish them.</p>
      {message && <blockquote>{message}</blockquote>}
      {contact && (
        <p>
          Questions? Write to <a href={`mailto:${contact}`}>{contact}</a>.
        </p>
      )}
    </WarningBox>
  );
}
