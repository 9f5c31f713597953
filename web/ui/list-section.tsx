import { type ReactNode, type Ref, use } from "react";
import { Row, Stack, Text } from "./layout.tsx";
import { PageTitle } from "./page-title.tsx";
import { PageContext } from "./section.tsx";
import css from "./list-section.module.css";

interface ListSectionProps {
  id: string;
  title: string;
  text?: ReactNode;
  action?: ReactNode;
  heading?: Ref<HTMLHeadingElement>;
  children: ReactNode;
}

export function ListSection({ id, title, text, action, heading, children }: ListSectionProps) {
  const page = use(PageContext);
  if (page !== null) {
    return (
      <Stack as="section" gap={6} aria-labelledby={id}>
        <PageTitle id={id} title={title} subtitle={text} context={page} action={action} />
        {children}
      </Stack>
    );
  }
  return (
    <Stack as="section" className={css.section} aria-labelledby={id}>
      <Row as="header" gap={3} justify="between" align={text ? "start" : "center"}>
        <div className={text ? css.words : undefined}>
          <h2 ref={heading} tabIndex={heading ? -1 : undefined} id={id}>
            {title}
          </h2>
          {text && <Text tone="muted">{text}</Text>}
        </div>
        {action}
      </Row>
      {children}
    </Stack>
  );
}
