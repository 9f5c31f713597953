import { useNavigate } from "react-router-dom";
import type { Workspace } from "#contract/workspaces.ts";
import { paths } from "../../lib/paths.ts";
import { Avatar } from "../../ui/avatar.tsx";
import { Icon } from "../../ui/icon.tsx";
import { PopupMenu } from "../../ui/popup-menu.tsx";
import { Text } from "../../ui/layout.tsx";
import css from "./workspaces.module.css";

interface WorkspaceSwitcherProps {
  workspaces: readonly Workspace[];
  current: Workspace;
  onChoose: () => void;
}

export function WorkspaceSwitcher({ workspaces, current, onChoose }: WorkspaceSwitcherProps) {
  const navigate = useNavigate();
  const go = (path: string) => () => {
    onChoose();
    void navigate(path, { state: { chosen: true } });
  };
  return (
    <PopupMenu
      className={css.switcher}
      label={`Workspace: ${current.name}`}
      heading="Workspaces"
      choices={[
        ...workspaces.map(({ id, name }) => ({
          label: name,
          icon: "building" as const,
          current: id === current.id,
          onChoose: go(paths.dashboard(id)),
        })),
        { label: "New Workspace", icon: "plus", onChoose: go(paths.onboarding) },
      ]}
    >
      <Avatar square name={current.name} src={current.logo_url} />
      <Text as="span" strong grow truncate>
        {current.name}
      </Text>
      <Icon name="sort-alt" muted />
    </PopupMenu>
  );
}
