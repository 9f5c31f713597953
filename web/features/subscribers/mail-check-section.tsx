import { useState } from "react";
import { type MailCheck, subscriberEndpoints } from "#contract/subscribers.ts";
import { Button } from "../../ui/button.tsx";
import { FormError } from "../../ui/form-error.tsx";
import { Icon, type IconName } from "../../ui/icon.tsx";
import { Section } from "../../ui/section.tsx";
import { ApiError, call } from "../../lib/api-client.ts";
import { toasts } from "../../lib/toasts.ts";
import css from "./mail-check-section.module.css";

type MailRecord = MailCheck["records"][number];

/** DNS records of the sender and a test email. */
export function MailCheckSection({ workspaceId }: { workspaceId: string }) {
  const params = { workspaceId };
  const [check, setCheck] = useState<MailCheck>();
  const [problem, setProblem] = useState<string>();
  const [busy, setBusy] = useState<"check" | "mail">();

  async function checkDomain() {
    setBusy("check");
    setProblem(undefined);
    try {
      setCheck(await call(subscriberEndpoints.mailCheck, { params }));
    } catch (error) {
      setProblem(error instanceof ApiError ? error.message : "Please try again later");
    } finally {
      setBusy(undefined);
    }
  }

  async function sendTest() {
    setBusy("mail");
    try {
      const { sent, to } = await call(subscriberEndpoints.testMail, { params });
      if (sent) toasts.success("Test email sent", `To ${to}`);
      else
        toasts.error(
          "Couldn't send the email",
          "No email service is set up, or it rejected the email. Your administrator can check the log.",
        );
    } catch (error) {
      toasts.error("Couldn't send the test email", error instanceof ApiError ? error.message : "Please try again later");
    } finally {
      setBusy(undefined);
    }
  }

  return (
    <Section title="Deliverability" text="Check that SPF, DKIM and DMARC are set up so your emails reach inboxes.">
      <div className={css.buttons}>
        <Button icon="search" busy={busy === "check"} onClick={() => void checkDomain()}>
          {check ? "Check again" : "Check domain"}
        </Button>
        <Button icon="send" busy={busy === "mail"} onClick={() => void sendTest()}>
          Send me a test email
        </Button>
      </div>
      {problem && <FormError title="Couldn't check the domain" message={problem} />}
      <div aria-live="polite">{check && !problem && <Result check={check} />}</div>
    </Section>
  );
}

function Result({ check: { domain, records } }: { check: MailCheck }) {
  if (domain === null) return <p>No email service is set up here, so there's no domain to check.</p>;
  return (
    <>
      <p className={css.domain}>
        Emails are sent from <strong>{domain}</strong>
      </p>
      <ul role="list" className={css.records}>
        {records.map((record) => (
          <RecordLine key={record.kind} record={record} />
        ))}
      </ul>
    </>
  );
}

const stateLabels: Readonly<Record<MailRecord["state"], { label: string; icon: IconName }>> = {
  found: { label: "Found", icon: "check-circle" },
  missing: { label: "Missing", icon: "times-circle" },
  wrong: { label: "Incorrect", icon: "exclamation-triangle" },
  unknown: { label: "Unknown", icon: "question-circle" },
};

function RecordLine({ record: { kind, state, name, value, text } }: { record: MailRecord }) {
  const { label, icon } = stateLabels[state];
  return (
    <li className={css.record}>
      <p className={css.head}>
        <strong>{kind}</strong>
        <span className={`${css.state} ${css[state]}`}>
          <Icon name={icon} />
          {label}
        </span>
      </p>
      <p>{text}</p>
      {name && (
        <p className={css.where}>
          {name}
          {value && <code>{value}</code>}
        </p>
      )}
    </li>
  );
}
