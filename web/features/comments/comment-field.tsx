import { type KeyboardEvent, type Ref, useId, useImperativeHandle, useLayoutEffect, useRef, useState } from "react";
import { commentMaxLength } from "#contract/comments.ts";
import { Avatar } from "../../ui/avatar.tsx";
import { Button } from "../../ui/button.tsx";
import { ApiError } from "../../lib/api-client.ts";
import { classNames } from "../../lib/class-names.ts";
import { useLatest } from "../../lib/use-latest.ts";
import type { CommentInput } from "./comment-calls.ts";
import { storeCommentDraft, readCommentDrafts } from "./unsaved-comments.ts";
import { mentionAt, mentionsIn, namesLike } from "./mentions.ts";
import { Panel, Row, Stack, Text } from "../../ui/layout.tsx";
import css from "./comments.module.css";

export interface Member {
  user_id: string;
  full_name: string;
  avatar_url: string | null;
}

interface CommentFieldProps {
  label: string;
  send: string;
  initial?: string;
  members: readonly Member[];
  draftKey: { userId: string; postId: string; place: string; quote?: string };
  /** Rejects with an ApiError. `key`: idempotency key, the same for every retry of a text. `hasMore`: true if text was typed while sending. */
  onSend(input: CommentInput, key: string, hasMore: () => boolean): Promise<void>;
  onCancel?(): void;
  collapsible?: boolean;
  ref?: Ref<{ focus(): void }>;
}

const failed = "Couldn't send this. Your text is saved here. Try again.";

/** A comment form: @ mentions people, Ctrl+Enter sends. Unsent text is stored as a draft. */
export function CommentField({
  label,
  send,
  initial = "",
  members,
  draftKey,
  onSend,
  onCancel,
  collapsible = false,
  ref,
}: CommentFieldProps) {
  const id = useId();
  const field = useRef<HTMLTextAreaElement>(null);
  const [text, setText] = useState(() => readCommentDrafts(draftKey.userId, draftKey.postId)[draftKey.place]?.text ?? initial);
  const [problem, setProblem] = useState<string | null>(null);
  const [busy, setBusy] = useState(false);
  const latest = useLatest(text);
  const [caret, setCaret] = useState<number | null>(null);
  const [chosen, setChosen] = useState(0);
  const request = useRef({ text: "", key: "" });
  useImperativeHandle(ref, () => ({ focus: () => field.current?.focus() }), []);

  const mention = caret === null ? null : mentionAt(text, caret);
  const suggestions = mention ? namesLike(members, mention.typed) : [];
  const choice = Math.min(chosen, suggestions.length - 1);

  useLayoutEffect(() => {
    const area = field.current;
    if (!area) return;
    area.style.height = "auto"; // grows with the text; CSS limits it
    area.style.height = `${area.scrollHeight + 2}px`;
  }, [text]);

  function write(next: string) {
    setText(next);
    setProblem(tooLong(next));
    storeCommentDraft(draftKey.userId, draftKey.postId, draftKey.place, { text: next === initial ? "" : next, quote: draftKey.quote });
  }
  function insertMention(member: Member) {
    if (!mention || caret === null) return;
    const before = `${text.slice(0, mention.from)}@${member.full_name} `;
    write(before + text.slice(caret).replace(/^ /, ""));
    setCaret(null);
    requestAnimationFrame(() => field.current?.setSelectionRange(before.length, before.length));
    field.current?.focus();
  }
  async function submit() {
    if (busy) return;
    const sent = text.trim();
    const invalid = sent === "" ? "Please write a comment" : tooLong(text);
    setProblem(invalid);
    if (invalid) return field.current?.focus();
    if (request.current.text !== sent) request.current = { text: sent, key: crypto.randomUUID() };
    const unsent = () => (initial === "" ? addedTo(sent, latest.current) : changedFrom(sent, latest.current));
    setBusy(true);
    try {
      await onSend({ text: sent, mentions: mentionsIn(sent, members) }, request.current.key, () => unsent() !== "");
      request.current = { text: "", key: "" };
      write(unsent() || initial);
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
    else if (suggestions.length > 0 && (key === "ArrowDown" || key === "ArrowUp"))
      setChosen((choice + (key === "ArrowDown" ? 1 : suggestions.length - 1)) % suggestions.length);
    else if (suggestions.length > 0 && (key === "Enter" || key === "Tab") && !event.shiftKey) insertMention(suggestions[choice]!);
    else if (key === "Escape" && suggestions.length > 0) setCaret(null);
    else if (key === "Escape" && onCancel) onCancel();
    else return;
    event.preventDefault();
    event.stopPropagation();
  }
  const trackCaret = () => {
    const area = field.current;
    setCaret(area && area.selectionStart === area.selectionEnd ? area.selectionStart : null);
    setChosen(0);
  };
  const collapsed = collapsible && text === "";

  return (
    <Stack gap={2}>
      <textarea
        ref={field}
        id={id}
        className={classNames("p-inputtext p-component", css.input, collapsed && css.collapsed)}
        rows={collapsible ? 1 : 2}
        dir="auto"
        data-sends
        value={text}
        placeholder={collapsible ? label : "Add a comment. Type @ to mention someone."}
        aria-label={label}
        aria-invalid={problem !== null || undefined}
        aria-describedby={problem ? `${id}-problem` : undefined}
        aria-autocomplete="list"
        aria-haspopup="listbox"
        aria-controls={suggestions.length > 0 ? `${id}-names` : undefined}
        aria-activedescendant={suggestions.length > 0 ? `${id}-${choice}` : undefined}
        onChange={(event) => {
          write(event.target.value);
          trackCaret();
        }}
        onSelect={(event) => caret !== null && event.currentTarget.selectionStart !== caret && trackCaret()}
        onKeyDown={onKeyDown}
        onBlur={() => setCaret(null)}
      />
      <p className="visually-hidden" role="status">
        {suggestions.length > 0 &&
          `${suggestions.length} ${suggestions.length === 1 ? "person" : "people"}. Use the arrow keys to choose and Enter to mention.`}
      </p>
      {suggestions.length > 0 && (
        <Panel as="ul" padding={1} gap={0} id={`${id}-names`} role="listbox" aria-label="People" className={css.people}>
          {suggestions.map((member, place) => (
            <Row
              as="li"
              choice
              nowrap
              key={member.user_id}
              id={`${id}-${place}`}
              role="option"
              aria-selected={place === choice}
              className={css.person}
              onPointerDown={(event) => {
                event.preventDefault();
                insertMention(member);
              }}
            >
              <Avatar name={member.full_name} src={member.avatar_url} />
              <span>{member.full_name}</span>
            </Row>
          ))}
        </Panel>
      )}
      {problem && (
        <Text id={`${id}-problem`} role="alert" size="small" tone="danger">
          {problem}
        </Text>
      )}
      {!collapsed && (
        <Row justify="end">
          {onCancel && (
            <Button variant="quiet" size="small" onClick={onCancel}>
              Cancel
            </Button>
          )}
          <Button variant="primary" size="small" busy={busy} aria-keyshortcuts="Control+Enter Meta+Enter" onClick={() => void submit()}>
            {send}
          </Button>
        </Row>
      )}
    </Stack>
  );
}

/** The text typed after `sent` was submitted; any other text as it is. */
function addedTo(sent: string, text: string): string {
  const now = text.trimStart();
  return now.startsWith(sent) ? now.slice(sent.length).trimStart() : text;
}

/** The whole text if it differs from `sent`: an edit always sends all of it. */
const changedFrom = (sent: string, text: string): string => (text.trim() === sent ? "" : text);

const formatNumber = (count: number): string => count.toLocaleString("en");
const tooLong = (text: string): string | null =>
  text.trim().length > commentMaxLength
    ? `Comments can have up to ${formatNumber(commentMaxLength)} characters. This one has ${formatNumber(text.trim().length)}.`
    : null;
