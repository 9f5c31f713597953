import { type ComponentProps, useId, useState } from "react";
import type { DnsRecord, Domain, DomainState } from "#contract/domains.ts";
import { Button } from "../../components/button.tsx";
import { CopyButton } from "../../components/copy-button.tsx";
import { IconButton } from "../../components/icon-button.tsx";
import { StateWord } from "../../components/state-word.tsx";
import { ApiError } from "../../lib/api-client.ts";
import { moment } from "../../lib/moment.ts";
import { toasts } from "../../lib/toasts.ts";
import css from "./domains.module.css";

const states: Readonly<Record<DomainState, ComponentProps<typeof StateWord>>> = {
  dns: { word: "Waiting for DNS", icon: "clock", tone: "warn" },
  certificate: { word: "Certificate on its way", icon: "lock", tone: "warn" },
  live: { word: "Live", icon: "check-circle", tone: "ok" },
  lost: { word: "Lost", icon: "exclamation-triangle", tone: "danger" },
};

interface DomainCardProps {
  domain: Domain;
  check: (host: string) => Promise<Domain>;
  onRemove: () => void;
}

/** A name: its state in words, the records that it needs, and what was found of them. */
export function DomainCard({ domain, check, onRemove }: DomainCardProps) {
  const id = useId();
  const [busy, setBusy] = useState(false);
  const { host, shown, state, records, problem, checked_at } = domain;

  async function lookNow() {
    setBusy(true);
    try {
      const { state: now } = await check(host);
      if (now === "live" && state !== "live") toasts.success(`${shown} is live`, "Readers are led there from now on");
    } catch (error) {
      toasts.error("It could not be looked up", error instanceof ApiError ? error.message : "Please try again later");
    } finally {
      setBusy(false);
    }
  }

  return (
    <li className={css.card} aria-labelledby={id}>
      <div className={css.head}>
        <h3 id={id} className={css.name}>
          {state === "live" ? <a href={`https://${host}/`}>{shown}</a> : shown}
        </h3>
        <StateWord {...states[state]} />
        <IconButton icon="trash" label={`Remove ${shown}`} onClick={onRemove} />
      </div>
      {shown !== host && (
        <p className={css.note}>
          In the DNS: <code>{host}</code>
        </p>
      )}
      <div aria-live="polite" className={css.said}>
        <p>{sentenceOf(domain)}</p>
        {problem && <p className={css.problem}>{problem}</p>}
      </div>
      <ul role="list" className={css.records} aria-label={`Records of ${shown}`}>
        {records.map((record) => (
          <Record key={record.type} record={record} isLookedUp={checked_at !== null} />
        ))}
      </ul>
      <div className={css.foot}>
        <Button icon="refresh" size="small" busy={busy} onClick={() => void lookNow()}>
          Check now
        </Button>
        <span className={css.note}>{checked_at === null ? "Not looked up yet" : `Looked up ${moment(checked_at)}`}</span>
      </div>
    </li>
  );
}

/** What its state means for readers, and what comes next. */
function sentenceOf({ state, shown, live_at, grace_until }: Domain): string {
  if (state === "dns")
    return "Make these two records where your DNS is kept. They are looked up by themselves; that can take up to an hour.";
  if (state === "certificate") return `The records are right. Readers are led to ${shown} as soon as its first page comes by https.`;
  if (state === "live") return live_at === null ? "Readers are led here." : `Readers have been led here since ${moment(live_at)}.`;
  return grace_until !== null && Date.parse(grace_until) > Date.now()
    ? `It does not lead here any more. Until ${moment(grace_until)} readers are still sent to it; put its records right before then.`
    : "It does not lead here any more, and nobody is sent to it. Once its records are right it becomes live again.";
}

function Record({ record: { type, name, value, found, ok }, isLookedUp }: { record: DnsRecord; isLookedUp: boolean }) {
  const what = `${type} record`;
  return (
    <li className={css.record}>
      <div className={css.kind}>
        <span className={css.type}>{type}</span>
        {isLookedUp &&
          (ok ? <StateWord word="Found" icon="check" tone="ok" /> : <StateWord word="Not right yet" icon="clock" tone="warn" />)}
      </div>
      <dl className={css.parts}>
        <dt>Name</dt>
        <dd>
          <code>{name}</code>
          <CopyButton text={name} what={`the name of the ${what}`} />
        </dd>
        <dt>Value</dt>
        <dd>
          <code>{value}</code>
          <CopyButton text={value} what={`the value of the ${what}`} />
        </dd>
        {isLookedUp && !ok && (
          <>
            <dt>Found</dt>
            <dd>{found.length === 0 ? <span className={css.note}>nothing</span> : <code>{found.join(", ")}</code>}</dd>
          </>
        )}
      </dl>
    </li>
  );
}
