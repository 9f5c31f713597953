import type { ReactNode } from "react";
import { errorCatalogue } from "#contract/errors.ts";
import { classNames } from "../lib/class-names.ts";
import { Icon } from "./icon.tsx";
import { Text } from "./layout.tsx";
import css from "./notice.module.css";

export function FormError({ title = "Oops, something's wrong!", message }: { title?: string; message: string }) {
  if (message === errorCatalogue.unauthenticated.sentence) return null; // the session's own dialog asks for the password
  return (
    <div className={classNames(css.notice, css.error)} role="alert">
      <Icon name="exclamation-triangle" />
      <div>
        <Text strong tone="danger">
          {title}
        </Text>
        <p>{message}</p>
      </div>
    </div>
  );
}

interface WarningBoxProps {
  role: "note" | "alert";
  className?: string;
  children: ReactNode;
}

export function WarningBox({ role, className, children }: WarningBoxProps) {
  return (
    <div className={classNames(css.notice, className)} role={role}>
      <Icon name="exclamation-triangle" />
      <div>{children}</div>
    </div>
  );
}
