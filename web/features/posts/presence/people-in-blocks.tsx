import { useEffect, useLayoutEffect, useRef, useState, type RefObject } from "react";
import type { Participant } from "#contract/presence.ts";
import { toasts } from "../../../lib/toasts.ts";
import { useLatest } from "../../../lib/use-latest.ts";
import { caretBlock, idOf } from "./follow-caret.ts";
import { LockQuestionBox } from "./lock-question.tsx";
import { markBlocks, unmarkBlocks } from "./mark-blocks.ts";
import { peopleOfBlocks, saidOfBlock, typingIn } from "./people-of-blocks.ts";
import { type LockQuestion, SoftLock } from "./soft-lock.ts";
import "./block-people.css";

export interface PeopleInBlocksProps {
  /** Around title and text. */
  area: RefObject<HTMLElement | null>;
  participants: readonly Participant[];
  editable: boolean;
  /** Puts words into a paragraph of their own below a block, or at the end when it is gone. */
  onWriteBelow(blockId: string, words: string): void;
}

/** Who else is in which block; the block that another types in asks before it is changed. */
export function PeopleInBlocks({ area, participants, editable, onWriteBelow }: PeopleInBlocksProps) {
  const latest = useLatest({ participants, onWriteBelow });
  const own = useCaretBlock(area);
  const lock = useRef<SoftLock | null>(null);
  const [question, setQuestion] = useState<LockQuestion | null>(null);
  const answers = useRef<HTMLDivElement>(null);

  useEffect(() => (area.current ? markBlocks(area.current, peopleOfBlocks(participants)) : undefined), [area, participants]);
  useEffect(() => {
    const around = area.current;
    return () => void (around && unmarkBlocks(around));
  }, [area]);

  useLayoutEffect(() => {
    if (!editable || !area.current) return;
    const made = new SoftLock(area.current, {
      typing: (blockId) => typingIn(latest.current.participants, blockId),
      onQuestion: setQuestion,
      onTab: () => answers.current?.querySelector("button")?.focus(),
      onLeft: (words, blockId) =>
        toasts.info("Your words were left out", shortened(words), {
          label: "Put them below",
          onClick: () => latest.current.onWriteBelow(blockId, words),
        }),
    });
    lock.current = made;
    return () => {
      lock.current = null;
      made.stop();
    };
  }, [area, editable, latest]);
  useEffect(() => lock.current?.peopleChanged(), [participants]);

  return (
    <>
      <p className="visually-hidden" role="status">
        {saidOfBlock(participants, own)}
      </p>
      {question && (
        <LockQuestionBox
          ref={answers}
          area={area}
          question={question}
          onWrite={() => void lock.current?.write()}
          onBelow={() => {
            const taken = lock.current?.take();
            if (taken) onWriteBelow(taken.blockId, taken.words);
          }}
          onLeave={() => lock.current?.leave()}
        />
      )}
    </>
  );
}

const shown = 80;
const shortened = (words: string): string => `“${words.length > shown ? `${words.slice(0, shown)}…` : words}”`;

/** The id of the block that the person is in. */
function useCaretBlock(area: RefObject<HTMLElement | null>): string | null {
  const [id, setId] = useState<string | null>(null);
  useEffect(() => {
    const look = () => setId(area.current && idOf(caretBlock(area.current)));
    look();
    document.addEventListener("selectionchange", look);
    document.addEventListener("focusin", look);
    return () => {
      document.removeEventListener("selectionchange", look);
      document.removeEventListener("focusin", look);
    };
  }, [area]);
  return id;
}
