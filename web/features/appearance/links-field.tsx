import { type ReactNode, useEffect, useId, useRef, useState } from "react";
import { headerLinkLabelMaxLength, headerLinksMax } from "#contract/appearance-choices.ts";
import { Button } from "../../components/button.tsx";
import { IconButton } from "../../components/icon-button.tsx";
import { Icon } from "../../components/icon.tsx";
import { Input } from "../../components/input.tsx";
import { afterPointer } from "../../lib/after-pointer.ts";
import { useLatest } from "../../lib/use-latest.ts";
import { useFormField } from "../../lib/use-form-field.ts";
import { asLink, type LinkValue, newLink, sameLinks } from "./values.ts";
import css from "./links-field.module.css";

/** Up to six links beside the workspace's name: added, moved, taken away. */
export function LinksField({ disabled }: { disabled: boolean }) {
  const { input, meta } = useFormField<LinkValue[]>("links", { isEqual: sameLinks });
  const links = [...(input.value || [])];
  const [left, setLeft] = useState<ReadonlySet<string>>(new Set());
  const list = useRef<HTMLOListElement>(null);
  const [focused, setFocused] = useState<string>();
  useEffect(() => {
    if (focused === undefined) return;
    list.current?.querySelector<HTMLElement>(`[id="${focused}"]`)?.focus();
    setFocused(undefined);
  }, [focused]);

  // The links that were there when it could not be saved; one that is added later starts anew.
  const failed = Boolean(meta.submitFailed && !meta.modifiedSinceLastSubmit);
  const [tried, setTried] = useState<ReadonlySet<string>>(new Set());
  const ids = links.map(({ id }) => id).join(" ");
  useEffect(() => {
    if (failed) setTried(new Set(ids.split(" ")));
  }, [failed, ids]);

  const refused = meta.submitError && !meta.dirtySinceLastSubmit ? (meta.submitError as unknown) : undefined;
  const sentences = (meta.error ?? refused ?? {}) as Record<string, string> | string;
  const problemOf = (id: string, index: number, name: "label" | "url"): string | undefined => {
    const sentence = typeof sentences === "string" ? undefined : sentences[`${index}.${name}`];
    const isTried = failed || (meta.submitFailed && tried.has(id));
    return isTried || left.has(`${id}.${name}`) ? sentence : undefined;
  };
  const latest = useLatest(links);
  const change = (id: string, fields: Partial<LinkValue>) =>
    input.onChange(latest.current.map((link) => (link.id === id ? { ...link, ...fields } : link)));
  function leave(id: string, name: "label" | "url") {
    const url = latest.current.find((link) => link.id === id)?.url ?? "";
    if (name === "url" && asLink(url) !== url) change(id, { url: asLink(url) });
    setLeft((before) => new Set([...before, `${id}.${name}`]));
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
    const moved = links.toSpliced(index, 1).toSpliced(index + by, 0, links[index]!);
    input.onChange(moved);
    // At the end of its way the button that was pressed is off: the other one takes the focus.
    const isLast = by === 1 ? index + 1 === links.length - 1 : index - 1 === 0;
    setFocused(`${links[index]!.id}-${isLast ? (by === 1 ? "up" : "down") : by === 1 ? "down" : "up"}`);
  }

  return (
    <fieldset className={css.group} disabled={disabled}>
      <legend>Links in the header</legend>
      {typeof sentences === "string" && <Problem id="links-error">{sentences}</Problem>}
      {links.length > 0 && (
        <ol ref={list} className={css.links}>
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
                  label={`Address of link ${index + 1}`}
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
        </ol>
      )}
      {links.length < headerLinksMax ? (
        <Button icon="plus" size="small" onClick={add}>
          Add a link
        </Button>
      ) : (
        <p className={css.full}>Six links are all there is room for.</p>
      )}
    </fieldset>
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
      {problem && <Problem id={described}>{problem}</Problem>}
    </div>
  );
}

const Problem = ({ id, children }: { id: string; children: ReactNode }) => (
  <p id={id} className={css.problem}>
    <Icon name="exclamation-circle" />
    {children}
  </p>
);
