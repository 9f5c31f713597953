import { type KeyboardEvent, type Ref, useId, useImperativeHandle, useLayoutEffect, useRef, useState } from "react";
import { commentMaxLength } from "#contract/comments.ts";
import { Avatar } from "../../../components/avatar.tsx";
import { Button } from "../../../components/button.tsx";
import { ApiError } from "../../../lib/api-client.ts";
import { classNames } from "../../../lib/class-names.ts";
import { useLatest } from "../../../lib/use-latest.ts";
import type { Said } from "./comment-calls.ts";
import { keepComment, readKept } from "./kept-comments.ts";
import { mentionAt, mentionsIn, namesLike } from "./mentions.ts";
import css from "./comment-field.module.css";

export interface Member {
  user_id: string;
  full_name: string;
  avatar_url: string | null;
}

interface CommentFieldProps {
  label: string;
  /** On the button. */
  send: string;
  /** What the field begins with, if nothing is kept. */
  initial?: string;
  members: readonly Member[];
  /** Under what it is kept in this browser until it is sent. */
  kept: { userId: string; postId: string; place: string; quote?: string };
  /** Rejects with an ApiError; `key` is the same for each try of one text. `hasMore`: something was written while it was sent, so the field stays. */
  onSend(said: Said, key: string, hasMore: () => boolean): Promise<void>;
  onCancel?(): void;
  /** Smaller as long as nothing is written. */
  folds?: boolean;
  ref?: Ref<{ focus(): void }>;
}

const failed = "This could not be sent. It is kept here; please try again.";

/** Where a comment is written: @ names people, Ctrl+Enter sends. What is not sent is kept in this browser, and nothing is cut off. */
export function CommentField({ label, send, initial = "", members, kept, onSend, onCancel, folds = false, ref }: CommentFieldProps) {
  const id = useId();
  const field = useRef<HTMLTextAreaElement>(null);
  const [text, setText] = useState(() => readKept(kept.userId, kept.postId)[kept.place]?.text ?? initial);
  const [problem, setProblem] = useState<string | null>(null);
  const [busy, setBusy] = useState(false);
  const latest = useLatest(text);
  const [caret, setCaret] = useState<number | null>(null);
  const [chosen, setChosen] = useState(0);
  const request = useRef({ text: "", key: "" });
  useImperativeHandle(ref, () => ({ focus: () => field.current?.focus() }), []);

  const naming = caret === null ? null : mentionAt(text, caret);
  const found = naming ? namesLike(members, naming.typed) : [];
  const choice = Math.min(chosen, found.length - 1);

  useLayoutEffect(() => {
    const area = field.current;
    if (!area) return;
    area.style.height = "auto"; // as high as what is in it; the sheet says how high at most
    area.style.height = `${area.scrollHeight + 2}px`;
  }, [text]);

  function write(next: string) {
    setText(next);
    setProblem(tooLong(next));
    keepComment(kept.userId, kept.postId, kept.place, { text: next === initial ? "" : next, quote: kept.quote });
  }
  function name(member: Member) {
    if (!naming || caret === null) return;
    const before = `${text.slice(0, naming.from)}@${member.full_name} `;
    write(before + text.slice(caret).replace(/^ /, ""));
    setCaret(null);
    requestAnimationFrame(() => field.current?.setSelectionRange(before.length, before.length));
    field.current?.focus();
  }
  async function submit() {
    if (busy) return;
    const said = text.trim();
    const wrong = said === "" ? "Please write a comment" : tooLong(text);
    setProblem(wrong);
    if (wrong) return field.current?.focus();
    if (request.current.text !== said) request.current = { text: said, key: crypto.randomUUID() };
    const rest = () => (initial === "" ? addedTo(said, latest.current) : changedFrom(said, latest.current));
    setBusy(true);
    try {
      await onSend({ text: said, mentions: mentionsIn(said, members) }, request.current.key, () => rest() !== "");
      request.current = { text: "", key: "" };
      write(rest() || initial);
    } catch (error) {
      if (!(error instanceof ApiError)) throw error;
      setProblem(error.fields.text ?? (error.code === "network" ? failed : error.sentence));
    } finally {
      setBusy(false);
    }
  }
  function onKeyDown(event: KeyboardEvent) {
    if (event.nativeEvent.isComposing) return;
    const { key } = event;
    if (key === "Enter" && (event.ctrlKey || event.metaKey)) void submit();
    else if (found.length > 0 && (key === "ArrowDown" || key === "ArrowUp"))
      setChosen((choice + (key === "ArrowDown" ? 1 : found.length - 1)) % found.length);
    else if (found.length > 0 && (key === "Enter" || key === "Tab") && !event.shiftKey) name(found[choice]!);
    else if (key === "Escape" && found.length > 0) setCaret(null);
    else if (key === "Escape" && onCancel) onCancel();
    else return;
    event.preventDefault();
    event.stopPropagation();
  }
  const follow = () => {
    const area = field.current;
    setCaret(area && area.selectionStart === area.selectionEnd ? area.selectionStart : null);
    setChosen(0);
  };
  const folded = folds && text === "";

  return (
    <div className={classNames(css.field, folded && css.folded)}>
      <textarea
        ref={field}
        id={id}
        className={css.text}
        rows={folds ? 1 : 2}
        dir="auto"
        data-sends
        value={text}
        placeholder={folds ? label : "Write a comment. @ names somebody."}
        aria-label={label}
        aria-invalid={problem !== null || undefined}
        aria-describedby={problem ? `${id}-problem` : undefined}
        aria-autocomplete="list"
        aria-haspopup="listbox"
        aria-controls={found.length > 0 ? `${id}-names` : undefined}
        aria-activedescendant={found.length > 0 ? `${id}-${choice}` : undefined}
        onChange={(event) => {
          write(event.target.value);
          follow();
        }}
        onSelect={(event) => caret !== null && event.currentTarget.selectionStart !== caret && follow()}
        onKeyDown={onKeyDown}
        onBlur={() => setCaret(null)}
      />
      <p className="visually-hidden" role="status">
        {found.length > 0 && `${found.length} ${found.length === 1 ? "person" : "people"}: up and down to choose, Enter to name`}
      </p>
      {found.length > 0 && (
        <ul id={`${id}-names`} role="listbox" aria-label="People" className={css.names}>
          {found.map((member, place) => (
            <li
              key={member.user_id}
              id={`${id}-${place}`}
              role="option"
              aria-selected={place === choice}
              className={classNames(css.name, place === choice && css.chosen)}
              onPointerDown={(event) => {
                event.preventDefault(); // the caret stays
                name(member);
              }}
            >
              <Avatar name={member.full_name} src={member.avatar_url} />
              <span>{member.full_name}</span>
            </li>
          ))}
        </ul>
      )}
      {problem && (
        <p id={`${id}-problem`} role="alert" className={css.problem}>
          {problem}
        </p>
      )}
      {!folded && (
        <div className={css.actions}>
          {onCancel && (
            <Button variant="quiet" size="small" onClick={onCancel}>
              Cancel
            </Button>
          )}
          <Button variant="primary" size="small" busy={busy} aria-keyshortcuts="Control+Enter Meta+Enter" onClick={() => void submit()}>
            {send}
          </Button>
        </div>
      )}
    </div>
  );
}

/** What was written after a text was sent; another text is kept as it is. */
function addedTo(said: string, text: string): string {
  const now = text.trimStart();
  return now.startsWith(said) ? now.slice(said.length).trimStart() : text;
}

/** The whole text where it is another than was sent: of a comment that is there, the next change says all of it. */
const changedFrom = (said: string, text: string): string => (text.trim() === said ? "" : text);

const figure = (count: number): string => count.toLocaleString("en");
const tooLong = (text: string): string | null =>
  text.trim().length > commentMaxLength
    ? `A comment can have at most ${figure(commentMaxLength)} characters; this one has ${figure(text.trim().length)}`
    : null;
