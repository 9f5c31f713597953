import { useLayoutEffect, useRef, useState, type KeyboardEvent, type Ref, type RefObject } from "react";
import { Button } from "../../ui/button.tsx";
import type { LockQuestion } from "./soft-lock.ts";
import { Panel, Row, Text } from "../../ui/layout.tsx";
import css from "./presence.module.css";

interface LockQuestionBoxProps {
  ref: Ref<HTMLDivElement>;
  area: RefObject<HTMLElement | null>;
  question: LockQuestion;
  onWrite(): void;
  onBelow(): void;
  onLeave(): void;
}

export function LockQuestionBox({ ref, area, question, onWrite, onBelow, onLeave }: LockQuestionBoxProps) {
  const line = useRef<HTMLDivElement>(null);
  const top = usePlaceBelow(line, area, question.blockId);
  const names = question.people.map(({ fullName }) => fullName).join(" and ");
  const onKeyDown = (event: KeyboardEvent) => {
    if (event.key !== "Escape") return;
    event.stopPropagation();
    onLeave();
  };
  const keepCaret = (event: { preventDefault(): void }) => event.preventDefault();
  return (
    <div ref={line} className={css.anchor}>
      {/* oxlint-disable-next-line jsx-a11y/no-noninteractive-element-interactions -- Escape on any of its buttons, and a press beside them */}
      <Panel
        gap={2}
        ref={ref}
        role="group"
        aria-label="Someone else is writing in this block"
        data-lock-question
        className={css.question}
        style={{ top }}
        onKeyDown={onKeyDown}
        onMouseDown={keepCaret}
      >
        <p role="alert">
          <strong>
            <bdi>{names}</bdi> {question.people.length > 1 ? "are" : "is"} writing here.
          </strong>{" "}
          Write anyway?
        </p>
        {question.words !== "" && (
          <Text as="blockquote" tone="muted" className={css.text}>
            <span className="visually-hidden">Waiting: </span>
            {question.words}
          </Text>
        )}
        <Row>
          <Button variant="primary" size="small" onClick={onWrite}>
            Write anyway
          </Button>
          {question.words !== "" && (
            <Button size="small" onClick={onBelow}>
              Add as a new paragraph
            </Button>
          )}
          <Button variant="quiet" size="small" onClick={onLeave}>
            Not now
          </Button>
          <Text as="span" size="small" tone="muted" className={css.hint}>
            <kbd>Tab</kbd> to choose, <kbd>Esc</kbd> to dismiss
          </Text>
        </Row>
      </Panel>
    </div>
  );
}

const gap = 6; // px

function usePlaceBelow(line: RefObject<HTMLElement | null>, area: RefObject<HTMLElement | null>, blockId: string): number {
  const [top, setTop] = useState(0);
  useLayoutEffect(() => {
    const root = area.current;
    if (!root) return;
    const measure = () => {
      const block = root.querySelector(`.ce-block[data-id="${CSS.escape(blockId)}"]`);
      if (block && line.current) setTop(block.getBoundingClientRect().bottom - line.current.getBoundingClientRect().top + gap);
    };
    measure();
    const sizes = new ResizeObserver(measure);
    sizes.observe(root);
    return () => sizes.disconnect();
  }, [line, area, blockId]);
  useLayoutEffect(() => void line.current?.firstElementChild?.scrollIntoView({ block: "nearest" }), [line, top]);
  return top;
}
