import { type ComponentProps, useId } from "react";
import type { DnsRecord, Domain, DomainState } from "#contract/domains.ts";
import { Button } from "../../ui/button.tsx";
import { Copied } from "../../ui/copied.tsx";
import { Facts } from "../../ui/facts.tsx";
import { IconButton } from "../../ui/icon-button.tsx";
import { List, Note, Panel, Row, Stack, Text } from "../../ui/layout.tsx";
import { StatusLabel } from "../../ui/status-label.tsx";
import { moment } from "../../lib/moment.ts";
import { toasts } from "../../lib/toasts.ts";
import { useAction } from "../../lib/use-action.ts";

const states: Readonly<Record<DomainState, ComponentProps<typeof StatusLabel>>> = {
  dns: { label: "Waiting for DNS", icon: "clock", tone: "warn" },
  certificate: { label: "Issuing certificate", icon: "lock", tone: "warn" },
  live: { label: "Live", icon: "check-circle", tone: "ok" },
  lost: { label: "Disconnected", icon: "exclamation-triangle", tone: "danger" },
};

interface DomainCardProps {
  domain: Domain;
  check: () => Promise<{ domain: Domain }>;
  onRemove: () => void;
}

/** A custom domain: status, DNS records and check results. */
export function DomainCard({ domain, check, onRemove }: DomainCardProps) {
  const id = useId();
  const { running, run } = useAction();
  const { host, shown, state, records, problem, checked_at } = domain;

  async function checkNow() {
    const { domain: checked } = await check();
    if (checked.state === "live" && state !== "live") toasts.success(`${shown} is live`, "Your page now redirects there");
  }

  return (
    <Panel as="li" gap={3} aria-labelledby={id}>
      <Row gap={3}>
        <Text as="h2" size="app" strong grow id={id}>
          {state === "live" ? <a href={`https://${host}/`}>{shown}</a> : shown}
        </Text>
        <StatusLabel {...states[state]} />
        <IconButton icon="trash" label={`Remove ${shown}`} onClick={onRemove} />
      </Row>
      {shown !== host && (
        <Note>
          In DNS: <code>{host}</code>
        </Note>
      )}
      <Stack aria-live="polite" gap={2}>
        <p>{sentenceOf(domain)}</p>
        {problem && <Text tone="warn">{problem}</Text>}
      </Stack>
      <List role="list" aria-label={`Records of ${shown}`}>
        {records.map((record) => (
          <Record key={record.type} record={record} isChecked={checked_at !== null} />
        ))}
      </List>
      <Row gap={3}>
        <Button
          icon="refresh"
          size="small"
          busy={running !== undefined}
          onClick={() => void run("check", "Couldn't check the domain", checkNow)}
        >
          Check now
        </Button>
        <Note as="span">{checked_at === null ? "Not checked yet" : `Checked ${moment(checked_at)}`}</Note>
      </Row>
    </Panel>
  );
}

function sentenceOf({ state, shown, live_at, grace_until }: Domain): string {
  if (state === "dns") return "Add these two records at your DNS provider. We check automatically; it can take up to an hour.";
  if (state === "certificate") return `Your records are correct. Your page redirects to ${shown} as soon as its certificate is ready.`;
  if (state === "live") return live_at === null ? "Your page redirects here." : `Your page has redirected here since ${moment(live_at)}.`;
  return grace_until !== null && Date.parse(grace_until) > Date.now()
    ? `This domain no longer points to us. Until ${moment(grace_until)} it keeps working. Fix its DNS records before then.`
    : "This domain no longer points to us, so your page no longer redirects to it. Fix its DNS records to reconnect it.";
}

function Record({ record: { type, name, value, found, ok }, isChecked }: { record: DnsRecord; isChecked: boolean }) {
  const recordLabel = `${type} record`;
  return (
    <li>
      <Stack gap={2} grow>
        <Row gap={3}>
          <Text as="span" size="code">
            {type}
          </Text>
          {isChecked &&
            (ok ? (
              <StatusLabel label="Correct" icon="check" tone="ok" />
            ) : (
              <StatusLabel label="Not correct yet" icon="clock" tone="warn" />
            ))}
        </Row>
        <Facts
          facts={[
            ["Name", <Copied key="name" text={name} label={`the name of the ${recordLabel}`} />],
            ["Value", <Copied key="value" text={value} label={`the value of the ${recordLabel}`} />],
            ["Found", isChecked && !ok && (found.length === 0 ? "Nothing" : <code key="found">{found.join(", ")}</code>)],
          ]}
        />
      </Stack>
    </li>
  );
}
