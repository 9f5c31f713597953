import type { ReactNode } from "react";
import { Icon } from "./icon.tsx";
import css from "./warning-box.module.css";

interface WarningBoxProps {
  /** `alert` is announced immediately. */
  role: "note" | "alert";
  className?: string;
  children: ReactNode;
}

export function WarningBox({ role, className, children }: WarningBoxProps) {
  return (
    <div className={className ? `${css.box} ${className}` : css.box} role={role}>
      <Icon name="exclamation-triangle" className={css.icon} />
      <div>{children}</div>
    </div>
  );
}
