import { type ComponentProps, useState } from "react";
import { type MailCheck, subscriberEndpoints } from "#contract/subscribers.ts";
import { Button } from "../../ui/button.tsx";
import { FormError } from "../../ui/form-error.tsx";
import { Note, Panel, Row, Stack } from "../../ui/layout.tsx";
import { Section } from "../../ui/section.tsx";
import { StatusLabel } from "../../ui/status-label.tsx";
import { call, sentenceOf } from "../../lib/api-client.ts";
import { useAction } from "../../lib/use-action.ts";
import { sendToMe } from "../../lib/send-to-me.ts";

type MailRecord = MailCheck["records"][number];

/** DNS records of the sender and a test digest. */
export function MailCheckSection({ workspaceId }: { workspaceId: string }) {
  const params = { workspaceId };
  const [check, setCheck] = useState<MailCheck>();
  const [problem, setProblem] = useState<string>();
  const { running, run } = useAction();

  async function checkDomain() {
    setProblem(undefined);
    try {
      setCheck(await call(subscriberEndpoints.mailCheck, { params }));
    } catch (error) {
      setProblem(sentenceOf(error));
    }
  }

  const sendTest = () => sendToMe("Test digest sent", call(subscriberEndpoints.testMail, { params }));

  return (
    <Section title="Deliverability" text="Check that SPF, DKIM and DMARC are set up so your emails reach inboxes.">
      <Row>
        <Button icon="search" busy={running === "check"} onClick={() => void run("check", "Couldn't check the domain", checkDomain)}>
          {check ? "Check again" : "Check domain"}
        </Button>
        <Button icon="send" busy={running === "mail"} onClick={() => void run("mail", "Couldn't send the test digest", sendTest)}>
          Send me a test digest
        </Button>
      </Row>
      {problem && <FormError title="Couldn't check the domain" message={problem} />}
      <div aria-live="polite">{check && !problem && <Result check={check} />}</div>
    </Section>
  );
}

function Result({ check: { domain, records } }: { check: MailCheck }) {
  if (domain === null) return <p>No email service is set up here, so there's no domain to check.</p>;
  return (
    <>
      <p>
        Emails are sent from <strong>{domain}</strong>
      </p>
      <Stack as="ul" role="list">
        {records.map((record) => (
          <RecordLine key={record.kind} record={record} />
        ))}
      </Stack>
    </>
  );
}

const stateLabels: Readonly<Record<MailRecord["state"], ComponentProps<typeof StatusLabel>>> = {
  found: { label: "Found", icon: "check-circle", tone: "ok" },
  missing: { label: "Missing", icon: "times-circle", tone: "danger" },
  wrong: { label: "Incorrect", icon: "exclamation-triangle", tone: "danger" },
  unknown: { label: "Unknown", icon: "question-circle", tone: "muted" },
};

function RecordLine({ record: { kind, state, name, value, text } }: { record: MailRecord }) {
  return (
    <Stack as="li" gap={1}>
      <Row as="p" gap={3} align="baseline">
        <strong>{kind}</strong>
        <StatusLabel {...stateLabels[state]} />
      </Row>
      <p>{text}</p>
      {name && <Note>{name}</Note>}
      {value && (
        <Panel as="code" sunk padding={2} style={{ maxHeight: "4.5rem", overflow: "auto", overflowWrap: "anywhere" }}>
          {value}
        </Panel>
      )}
    </Stack>
  );
}
