import { type ComponentProps, useId, useState } from "react";
import { detailFields, pinEndsFirst } from "#contract/details.ts";
import type { PostDetails } from "#contract/rules/post-details.ts";
import { afterPointer } from "../../../lib/after-pointer.ts";
import { Checkbox } from "../../../ui/checkbox.tsx";
import { FieldFrame } from "../../../ui/field-frame.tsx";
import { Input } from "../../../ui/input.tsx";
import { Grid, Row } from "../../../ui/layout.tsx";
import { AudienceFields } from "./audience-fields.tsx";
import type { AudienceRows } from "./audience-rows.ts";
import { detailWords, endOfDay, lastDayOf } from "./detail-words.ts";
import { FoldedBar } from "./folded-bar.tsx";
import { PlacementFields } from "./placement-fields.tsx";

interface ProductBarProps {
  details: PostDetails;
  canWrite: boolean;
  onChange(details: PostDetails): void;
}

interface Texts {
  version: string;
  component: string;
  pinned: string;
  expires: string;
  text: string;
  url: string;
}

type Name = keyof Texts;

const textsOf = ({ version, component, pinned_until, expires_at, button }: PostDetails): Texts => ({
  ...{ version: version ?? "", component: component ?? "", text: button?.text ?? "", url: button?.url ?? "" },
  ...{ pinned: lastDayOf(pinned_until), expires: lastDayOf(expires_at) },
});

/** Fields that are only valid together. */
const together = [
  ["pinned", "expires"],
  ["text", "url"],
];

/** The details that are valid, and errors of those that aren't. Times of an unchanged day stay as they were. */
function read(texts: Texts, present: PostDetails): { details: Partial<PostDetails>; errors: Partial<Record<Name, string>> } {
  const timeOf = (day: string, time: string | null) => (day === lastDayOf(time) ? time : endOfDay(day));
  const dates = { pinned_until: timeOf(texts.pinned, present.pinned_until), expires_at: timeOf(texts.expires, present.expires_at) };
  const version = detailFields.version.safeParse(texts.version.trim() || null);
  const component = detailFields.component.safeParse(texts.component.trim() || null);
  const button = detailFields.button.safeParse(texts.text.trim() || texts.url.trim() ? { text: texts.text, url: texts.url } : null);
  const errors: Partial<Record<Name, string>> = {};
  if (!version.success) errors.version = version.error.issues[0]!.message;
  if (!component.success) errors.component = component.error.issues[0]!.message;
  for (const { path, message } of button.error?.issues ?? []) errors[path[0] === "text" ? "text" : "url"] ??= message;
  if (!pinEndsFirst.check(dates)) errors.pinned = pinEndsFirst.complaint.error;
  const details = {
    ...(version.success && { version: version.data ?? null }),
    ...(component.success && { component: component.data ?? null }),
    ...(button.success && { button: button.data ?? null }),
    ...(errors.pinned === undefined && dates),
  };
  return { details, errors };
}

/** Facts about the product in a post. Only valid values reach the post; others stay in their fields with an error. */
export function ProductBar({ details, canWrite, onChange }: ProductBarProps) {
  const [open, setOpen] = useState(false);
  const [typed, setTyped] = useState<Partial<Texts>>({});
  const [focused, setFocused] = useState<Name>();
  const [typedAudience, setTypedAudience] = useState<AudienceRows | null>(null);
  const texts = { ...textsOf(details), ...typed };
  const { errors } = read(texts, details);
  const words = detailWords(details);
  if (!canWrite && words.length === 0) return null;

  const change = (name: Name) => (text: string) => {
    setTyped({ ...typed, [name]: text });
    const { details: valid } = read({ ...texts, [name]: text }, details);
    onChange({ ...details, ...valid });
  };
  const leave = (name: Name) => () => {
    setFocused((now) => (now === name ? undefined : now));
    // Shows valid values as stored, and a colleague's later ones.
    setTyped((now) => {
      const { errors: left } = read({ ...textsOf(details), ...now }, details);
      const kept = Object.keys(left).flatMap((one) => together.find((names) => names.includes(one)) ?? one);
      return Object.fromEntries(Object.entries(now).filter(([one]) => kept.includes(one)));
    });
  };
  const field = (name: Name, label: string) => ({
    ...{ label, value: texts[name], readOnly: !canWrite, error: focused === name ? undefined : errors[name] },
    onFocus: () => setFocused(name),
    onChange: change(name),
    onBlur: () => afterPointer(leave(name)),
  });
  const values = Object.keys(errors).length > 0 ? "Some fields aren't valid" : words.join(" · ");
  return (
    <FoldedBar label="Details" values={values} open={open} onToggle={() => setOpen(!open)}>
      <Grid gap={4} min="14rem" style={{ alignItems: "start" }}>
        <DetailField {...field("version", "Product version")} placeholder="1.12.0" />
        <DetailField {...field("component", "Component")} placeholder="Server" />
        <DetailField {...field("pinned", "Pinned through")} type="date" hint="First on the page and in the widget." />
        <DetailField {...field("expires", "In the widget through")} type="date" hint="Later, the post is on the page only." />
        <DetailField {...field("text", "Button text")} placeholder="Try it" />
        <DetailField {...field("url", "Button URL")} type="url" placeholder="https://" />
      </Grid>
      <PlacementFields placement={details.placement} canWrite={canWrite} onChange={(placement) => onChange({ ...details, placement })} />
      <Row gap={6}>
        {(["breaking", "security"] as const).map((name) => (
          <Checkbox
            key={name}
            label={name === "breaking" ? "Breaking change" : "Security"}
            checked={details[name]}
            disabled={!canWrite}
            onChange={({ target }) => onChange({ ...details, [name]: target.checked })}
          />
        ))}
      </Row>
      <AudienceFields
        audience={details.audience}
        typed={typedAudience}
        canWrite={canWrite}
        onType={setTypedAudience}
        onChange={(audience) => onChange({ ...details, audience })}
      />
    </FoldedBar>
  );
}

interface DetailFieldProps extends Omit<ComponentProps<"input">, "onChange"> {
  label: string;
  hint?: string;
  error: string | undefined;
  onChange(text: string): void;
}

function DetailField({ label, hint, error, onChange, ...input }: DetailFieldProps) {
  const id = useId();
  const described = [error && `${id}-error`, hint && `${id}-hint`].filter(Boolean).join(" ");
  return (
    <FieldFrame id={id} label={label} optional hint={hint} error={error}>
      <Input
        type="text"
        autoComplete="off"
        {...input}
        id={id}
        aria-invalid={error !== undefined}
        aria-describedby={described || undefined}
        onChange={({ target }) => onChange(target.value)}
      />
    </FieldFrame>
  );
}
