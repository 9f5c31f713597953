/** @jsxImportSource preact */
import type { ComponentChildren } from "preact";
import { isPinned, productOf, readDetails } from "#contract/rules/post-details.ts";
import { type Tag, tagOf } from "#contract/tags.ts";
import type { Language } from "#contract/i18n/index.ts";
import type { Release } from "../queries/releases.ts";
import type { Site } from "../site.ts";

/** Days are UTC, as the server doesn't know the reader's zone; the exact time includes the zone. */
export function ReleaseDate({ at, now, language: { dir, dates } }: { at: Date; now: Date; language: Language }) {
  const word = dates.word(at, now);
  return (
    <time dir={dir} dateTime={at.toISOString()} title={dates.exact(at)}>
      {dates.day(at)}
      {word !== null && <span className="ago"> {word}</span>}
    </time>
  );
}

interface TagsProps {
  keys: readonly string[];
  tags: readonly Tag[];
  site: Site;
  language: Language;
  isClosed?: boolean;
}

export function Tags({ keys, tags, site, language, isClosed = false }: TagsProps) {
  if (keys.length === 0) return null;
  const shown = keys.map((key) => tagOf(key, tags));
  return (
    <ul className="tags" aria-label={language.words.page.tags}>
      {shown.map(({ key, label, colour }) => (
        <li key={key}>
          <a className={`tag tag-${colour}`} dir="auto" href={isClosed ? undefined : site.path("/releases", { tag: key })}>
            {label}
          </a>
        </li>
      ))}
    </ul>
  );
}

/** Pinned, version, component and what to watch out for. */
export function Facts({ release, now, language: { dir, words } }: { release: Release; now: Date; language: Language }) {
  const details = readDetails(release.details);
  const { version, component, breaking, security } = details;
  const facts = [
    ...(isPinned(details, now) ? [{ text: words.page.pinned, colour: "gray" }] : []),
    ...((version ?? component) ? [{ text: productOf(details), colour: "gray" }] : []),
    ...(breaking ? [{ text: words.page.breaking, colour: "red" }] : []),
    ...(security ? [{ text: words.page.security, colour: "orange" }] : []),
  ];
  if (facts.length === 0) return null;
  return (
    <ul className="tags" dir={dir}>
      {facts.map(({ text, colour }) => (
        <li key={text}>
          <bdi className={`tag tag-${colour}`}>{text}</bdi>
        </li>
      ))}
    </ul>
  );
}

export function PostButton({ release }: { release: Release }) {
  const { button } = readDetails(release.details);
  return (
    button && (
      <a className="button action" href={button.url}>
        {button.text}
      </a>
    )
  );
}

function Drawing({ children }: { children: ComponentChildren }) {
  return (
    <svg
      viewBox="0 0 120 96"
      fill="none"
      stroke="currentColor"
      stroke-width="2"
      stroke-linecap="round"
      stroke-linejoin="round"
      aria-hidden="true"
    >
      {children}
    </svg>
  );
}

export function PageDrawing() {
  return (
    <Drawing>
      <path d="M34 10h40l14 14v62H34z" />
      <path d="M74 10v14h14M46 40h28M46 52h28M46 64h16" />
      <path d="M14 86h92" />
    </Drawing>
  );
}

export function SignpostDrawing() {
  return (
    <Drawing>
      <path d="M60 8v78M34 86h52" />
      <path d="M60 16h30l9 9-9 9H60zM60 42H32l-9 9 9 9h28z" />
    </Drawing>
  );
}

export function EnvelopeDrawing() {
  return (
    <Drawing>
      <path d="M26 24h68v48H26z" />
      <path d="M26 26l34 26 34-26" />
      <path d="M14 86h92" />
    </Drawing>
  );
}
