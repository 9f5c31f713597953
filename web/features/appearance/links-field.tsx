import { useEffect, useId, useRef, useState } from "react";
import { headerLinkLabelMaxLength, headerLinksMax } from "#contract/appearance-choices.ts";
import { Button } from "../../ui/button.tsx";
import { FieldError } from "../../ui/field-frame.tsx";
import { IconButton } from "../../ui/icon-button.tsx";
import { Input } from "../../ui/input.tsx";
import { afterPointer } from "../../lib/after-pointer.ts";
import { useLatest } from "../../lib/use-latest.ts";
import { useFormField } from "../../lib/use-form-field.ts";
import { asLink, type LinkValue, newLink, areSameLinks } from "./values.ts";
import { Note, Stack } from "../../ui/layout.tsx";
import css from "./appearance.module.css";

/** Up to six header links. */
export function LinksField({ disabled }: { disabled: boolean }) {
  const { input, meta } = useFormField<LinkValue[]>("links", { isEqual: areSameLinks });
  const links = [...(input.value || [])];
  const [blurred, setBlurred] = useState<ReadonlySet<string>>(new Set());
  const list = useRef<HTMLOListElement>(null);
  const [focused, setFocused] = useState<string>();
  useEffect(() => {
    if (focused === undefined) return;
    list.current?.querySelector<HTMLElement>(`[id="${focused}"]`)?.focus();
    setFocused(undefined);
  }, [focused]);

  // Errors show on links that were there at the failed submit, not on new ones.
  const failed = Boolean(meta.submitFailed && !meta.modifiedSinceLastSubmit);
  const [submitted, setTried] = useState<ReadonlySet<string>>(new Set());
  const ids = links.map(({ id }) => id).join(" ");
  useEffect(() => {
    if (failed) setTried(new Set(ids.split(" ")));
  }, [failed, ids]);

  const submitErrors = meta.submitError && !meta.dirtySinceLastSubmit ? (meta.submitError as unknown) : undefined;
  const errors = (meta.error ?? submitErrors ?? {}) as Record<string, string> | string;
  const problemOf = (id: string, index: number, name: "label" | "url"): string | undefined => {
    const sentence = typeof errors === "string" ? undefined : errors[`${index}.${name}`];
    const isTried = failed || (meta.submitFailed && submitted.has(id));
    return isTried || blurred.has(`${id}.${name}`) ? sentence : undefined;
  };
  const latest = useLatest(links);
  const change = (id: string, fields: Partial<LinkValue>) =>
    input.onChange(latest.current.map((link) => (link.id === id ? { ...link, ...fields } : link)));
  function leave(id: string, name: "label" | "url") {
    const url = latest.current.find((link) => link.id === id)?.url ?? "";
    if (name === "url" && asLink(url) !== url) change(id, { url: asLink(url) });
    setBlurred((before) => new Set([...before, `${id}.${name}`]));
  }
  function add() {
    const link = newLink();
    input.onChange([...links, link]);
    setFocused(`${link.id}-label`);
  }
  function remove(index: number) {
    input.onChange(links.filter((_, at) => at !== index));
    const next = links[index + 1] ?? links[index - 1];
    if (next) setFocused(`${next.id}-label`);
  }
  function move(index: number, by: -1 | 1) {
    const reordered = links.toSpliced(index, 1).toSpliced(index + by, 0, links[index]!);
    input.onChange(reordered);
    // Focus: the pressed button is disabled at the list's end, so the other one gets it.
    const isAtEnd = by === 1 ? index + 1 === links.length - 1 : index - 1 === 0;
    setFocused(`${links[index]!.id}-${isAtEnd ? (by === 1 ? "up" : "down") : by === 1 ? "down" : "up"}`);
  }

  return (
    <Stack as="fieldset" start gap={3} disabled={disabled} style={{ width: "100%" }}>
      <legend>Links in the header</legend>
      {typeof errors === "string" && <FieldError id="links-error">{errors}</FieldError>}
      {links.length > 0 && (
        <Stack as="ol" ref={list} gap={3} style={{ width: "100%", container: "links / inline-size" }}>
          {links.map(({ id, label, url }, index) => {
            const name = label.trim() || `link ${index + 1}`;
            return (
              <li key={id} className={css.link}>
                <LinkInput
                  id={`${id}-label`}
                  label={`Label of link ${index + 1}`}
                  placeholder="Docs"
                  maxLength={headerLinkLabelMaxLength}
                  value={label}
                  problem={problemOf(id, index, "label")}
                  onChange={(value) => change(id, { label: value })}
                  onLeave={() => leave(id, "label")}
                />
                <LinkInput
                  id={`${id}-url`}
                  label={`URL of link ${index + 1}`}
                  placeholder="https://docs.example.com"
                  value={url}
                  problem={problemOf(id, index, "url")}
                  onChange={(value) => change(id, { url: value })}
                  onLeave={() => leave(id, "url")}
                />
                <span className={css.actions}>
                  <IconButton
                    id={`${id}-up`}
                    icon="angle-up"
                    label={`Move ${name} up`}
                    disabled={index === 0}
                    onClick={() => move(index, -1)}
                  />
                  <IconButton
                    id={`${id}-down`}
                    icon="angle-down"
                    label={`Move ${name} down`}
                    disabled={index === links.length - 1}
                    onClick={() => move(index, 1)}
                  />
                  <IconButton icon="times" label={`Remove ${name}`} onClick={() => remove(index)} />
                </span>
              </li>
            );
          })}
        </Stack>
      )}
      {links.length < headerLinksMax ? (
        <Button icon="plus" size="small" onClick={add}>
          Add link
        </Button>
      ) : (
        <Note>You can add up to six links.</Note>
      )}
    </Stack>
  );
}

interface LinkInputProps {
  id: string;
  label: string;
  placeholder: string;
  maxLength?: number;
  value: string;
  problem: string | undefined;
  onChange: (value: string) => void;
  onLeave: () => void;
}

function LinkInput({ id, problem, label, onChange, onLeave, ...input }: LinkInputProps) {
  const described = useId();
  return (
    <div className={css.input}>
      <Input
        {...input}
        id={id}
        aria-label={label}
        autoComplete="off"
        aria-invalid={problem !== undefined}
        aria-describedby={problem && described}
        onChange={(event) => onChange(event.target.value)}
        onBlur={() => afterPointer(onLeave)}
      />
      {problem && (
        <FieldError id={described} style={{ marginTop: "0.375rem" }}>
          {problem}
        </FieldError>
      )}
    </div>
  );
}
