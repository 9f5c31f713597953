import { useNavigate } from "react-router-dom";
import { paths } from "../../lib/paths.ts";
import { Avatar } from "../../ui/avatar.tsx";
import { PopupMenu } from "../../ui/popup-menu.tsx";
import { helpChoices } from "./help-choices.ts";
import { useProfile } from "./profile.ts";
import { useSignOut } from "./use-sign-out.ts";

export function AccountMenu() {
  const { data: profile } = useProfile();
  const navigate = useNavigate();
  const signOut = useSignOut();
  return (
    <PopupMenu
      label={`My Account: ${profile?.full_name ?? ""}`}
      heading="My Account"
      choices={[
        { label: "Workspaces", icon: "th-large", onChoose: () => void navigate(paths.workspaces) },
        ...(profile?.is_operator
          ? [{ label: "Installation", icon: "server" as const, onChoose: () => void navigate(paths.operator) }]
          : []),
        ...helpChoices,
        { label: "Logout", icon: "sign-out", onChoose: () => signOut() },
      ]}
    >
      <Avatar name={profile?.full_name ?? ""} src={profile?.avatar_url} />
    </PopupMenu>
  );
}
