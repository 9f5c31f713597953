import { type ReactNode, useId } from "react";
import { Note, Row, Stack } from "../../ui/layout.tsx";

interface PartProps {
  title: string;
  text?: ReactNode;
  /** Small buttons beside the title, hidden in print. */
  tools?: ReactNode;
  children: ReactNode;
}

/** A part of the report. */
export function Part({ title, text, tools, children }: PartProps) {
  const id = useId();
  return (
    <Stack as="section" gap={3} aria-labelledby={id} style={{ breakInside: "avoid" }}>
      <Row as="header" gap={3} justify="between" align="start">
        <div>
          <h2 id={id}>{title}</h2>
          {text && <Note>{text}</Note>}
        </div>
        {tools && (
          <Row gap={1} className="screen-only">
            {tools}
          </Row>
        )}
      </Row>
      {children}
    </Stack>
  );
}
