import type { ReactNode } from "react";
import { classNames } from "../lib/class-names.ts";
import { usePageTitle } from "../lib/use-page-title.ts";
import { Text } from "./layout.tsx";
import { Logo } from "./logo.tsx";
import { useFocusOnNavigation } from "./page-title.tsx";
import css from "./page.module.css";

export function Masthead({ line = true, children }: { line?: boolean; children: ReactNode }) {
  return <header className={classNames(css.masthead, line && css.line)}>{children}</header>;
}

/** A page's column outside workspaces; `width` is a CSS length. */
export function Page({ width = "60rem", className, children }: { width?: string; className?: string; children: ReactNode }) {
  return (
    <main className={classNames(css.page, className)} style={{ maxWidth: width }}>
      {children}
    </main>
  );
}

export function FullPage({ children }: { children: ReactNode }) {
  return (
    <div className={css.full}>
      <Masthead line={false}>
        <Logo />
      </Masthead>
      <main>{children}</main>
    </div>
  );
}

interface NarrowPageProps {
  title: string;
  text?: ReactNode;
  wide?: boolean;
  children: ReactNode;
}

export function NarrowPage({ title, text, wide, children }: NarrowPageProps) {
  usePageTitle(title);
  const heading = useFocusOnNavigation(title);
  return (
    <main className={classNames(css.narrow, wide && css.wide)}>
      <Logo />
      <Text as="div" className={css.words}>
        <h1 ref={heading} tabIndex={-1}>
          {title}
        </h1>
        {text && (
          <Text tone="muted" style={{ marginTop: "var(--space-2)" }}>
            {text}
          </Text>
        )}
      </Text>
      {children}
    </main>
  );
}
