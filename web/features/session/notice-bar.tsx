import type { ReactNode } from "react";
import { Icon, type IconName } from "../../ui/icon.tsx";
import css from "./notice-bar.module.css";

export function NoticeBar({
  icon,
  urgent = false,
  actions,
  children,
}: {
  icon: IconName;
  urgent?: boolean;
  actions?: ReactNode;
  children: ReactNode;
}) {
  return (
    <div className={urgent ? css.urgent : css.calm} role={urgent ? "alert" : "status"}>
      <Icon name={icon} />
      <p className={css.words}>{children}</p>
      {actions && <div className={css.actions}>{actions}</div>}
    </div>
  );
}
