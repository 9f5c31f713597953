import { createContext, use, useEffect, useId, type ReactNode } from "react";
import { classNames } from "../lib/class-names.ts";
import { Note, Row, Stack } from "./layout.tsx";
import { PageTitle } from "./page-title.tsx";
import css from "./page.module.css";

interface SectionProps {
  title: string;
  text?: ReactNode;
  /** Scrolled to if the page opens at this hash. */
  anchor?: string;
  children: ReactNode;
}

export const PageContext = createContext<string | null>(null);

export function Section({ title, text, anchor, children }: SectionProps) {
  const id = useId();
  const page = use(PageContext);
  useEffect(() => {
    if (anchor !== undefined && window.location.hash === `#${anchor}`) document.getElementById(anchor)?.scrollIntoView();
  }, [anchor]);
  if (page !== null) {
    return (
      <>
        <PageTitle title={title} subtitle={text} context={page} />
        <Stack as="section" start aria-label={title} className={classNames(css.controls, css.alone)}>
          {children}
        </Stack>
      </>
    );
  }
  return (
    <section id={anchor} className={css.section} aria-labelledby={id}>
      <Stack gap={1} style={{ alignContent: "start" }}>
        <h2 id={id}>{title}</h2>
        {text && <Note>{text}</Note>}
      </Stack>
      <Stack start className={css.controls}>
        {children}
      </Stack>
    </section>
  );
}

interface SettingGroupProps extends Omit<SectionProps, "anchor" | "children"> {
  children?: ReactNode;
  /** One control, or a note. */
  beside?: ReactNode;
}

/** Settings in a narrow column, below their title. */
export function SettingGroup({ title, text, beside, children }: SettingGroupProps) {
  const id = useId();
  return (
    <Stack as="section" gap={2} className={css.group} aria-labelledby={id}>
      <Row gap={3} justify="between">
        <h2 id={id}>{title}</h2>
        {beside}
      </Row>
      {text && <Note>{text}</Note>}
      {children}
    </Stack>
  );
}
