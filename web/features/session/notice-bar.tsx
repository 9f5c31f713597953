import type { ReactNode } from "react";
import { Icon, type IconName } from "../../ui/icon.tsx";
import { Row } from "../../ui/layout.tsx";
import css from "./session.module.css";

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
    <Row
      gap={3}
      className={css.notice}
      style={{ background: urgent ? "var(--danger-soft)" : "var(--accent-soft)" }}
      role={urgent ? "alert" : "status"}
    >
      <Icon name={icon} />
      <p>{children}</p>
      {actions && <Row nowrap>{actions}</Row>}
    </Row>
  );
}
