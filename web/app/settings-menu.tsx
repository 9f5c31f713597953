import { useNavigate } from "react-router-dom";
import { Icon } from "../ui/icon.tsx";
import { PopupMenu } from "../ui/popup-menu.tsx";
import { askForConsent } from "../features/consent/consent-popup.ts";
import { useCurrentWorkspace } from "../features/workspaces/current-workspace.tsx";
import { paths } from "../lib/paths.ts";
import { setTheme, useShownTheme } from "../lib/theme.ts";
import { allows } from "./navigation.ts";

export function SettingsMenu() {
  const { workspace, role } = useCurrentWorkspace();
  const navigate = useNavigate();
  const otherTheme = useShownTheme() === "dark" ? "light" : "dark";
  return (
    <PopupMenu
      label="Settings"
      heading="Settings"
      choices={[
        { label: "Workspace settings", icon: "building", onChoose: () => void navigate(paths.settings(workspace.id)) },
        ...(allows(["owner", "admin"], role)
          ? [
              { label: "Import posts", icon: "download" as const, onChoose: () => void navigate(paths.importPosts(workspace.id)) },
              { label: "Audit log", icon: "shield" as const, onChoose: () => void navigate(paths.audit(workspace.id)) },
            ]
          : []),
        { label: "Profile settings", icon: "user", onChoose: () => void navigate(paths.profile) },
        { label: "Toggle dark mode", icon: otherTheme === "dark" ? "moon" : "sun", onChoose: () => setTheme(otherTheme) },
        { label: "Cookie settings", icon: "info-circle", onChoose: askForConsent },
      ]}
    >
      <Icon name="cog" />
    </PopupMenu>
  );
}
