import { useEffect, useLayoutEffect, useRef, useState, type RefObject } from "react";
import type { Participant } from "#contract/presence.ts";
import { toasts } from "../../lib/toasts.ts";
import { useLatest } from "../../lib/use-latest.ts";
import { caretBlock, idOf } from "./follow-caret.ts";
import { LockQuestionBox } from "./lock-question.tsx";
import { markBlocks, unmarkBlocks } from "./mark-blocks.ts";
import { peopleOfBlocks, describeOthers, typingIn } from "./people-of-blocks.ts";
import { type LockQuestion, SoftLock } from "./soft-lock.ts";
import "./presence.module.css";

export interface PeopleInBlocksProps {
  area: RefObject<HTMLElement | null>;
  participants: readonly Participant[];
  editable: boolean;
  onWriteBelow(blockId: string, words: string): void;
}

export function PeopleInBlocks({ area, participants, editable, onWriteBelow }: PeopleInBlocksProps) {
  const latest = useLatest({ participants, onWriteBelow });
  const own = useCaretBlock(area);
  const lock = useRef<SoftLock | null>(null);
  const [question, setQuestion] = useState<LockQuestion | null>(null);
  const answers = useRef<HTMLDivElement>(null);

  useEffect(() => (area.current ? markBlocks(area.current, peopleOfBlocks(participants)) : undefined), [area, participants]);
  useEffect(() => {
    const root = area.current;
    return () => void (root && unmarkBlocks(root));
  }, [area]);

  useLayoutEffect(() => {
    if (!editable || !area.current) return;
    const softLock = new SoftLock(area.current, {
      typing: (blockId) => typingIn(latest.current.participants, blockId),
      onQuestion: setQuestion,
      onTab: () => answers.current?.querySelector("button")?.focus(),
      onDismissed: (words, blockId) =>
        toasts.info("Your text wasn't inserted", shortened(words), {
          label: "Add as a new paragraph",
          onClick: () => latest.current.onWriteBelow(blockId, words),
        }),
    });
    lock.current = softLock;
    return () => {
      lock.current = null;
      softLock.stop();
    };
  }, [area, editable, latest]);
  useEffect(() => lock.current?.peopleChanged(), [participants]);

  return (
    <>
      <p className="visually-hidden" role="status">
        {describeOthers(participants, own)}
      </p>
      {question && (
        <LockQuestionBox
          ref={answers}
          area={area}
          question={question}
          onWrite={() => void lock.current?.confirm()}
          onBelow={() => {
            const released = lock.current?.release();
            if (released) onWriteBelow(released.blockId, released.words);
          }}
          onLeave={() => lock.current?.dismiss()}
        />
      )}
    </>
  );
}

const maxShown = 80;
const shortened = (words: string): string => `“${words.length > maxShown ? `${words.slice(0, maxShown)}…` : words}”`;

function useCaretBlock(area: RefObject<HTMLElement | null>): string | null {
  const [id, setId] = useState<string | null>(null);
  useEffect(() => {
    const update = () => setId(area.current && idOf(caretBlock(area.current)));
    update();
    document.addEventListener("selectionchange", update);
    document.addEventListener("focusin", update);
    return () => {
      document.removeEventListener("selectionchange", update);
      document.removeEventListener("focusin", update);
    };
  }, [area]);
  return id;
}
