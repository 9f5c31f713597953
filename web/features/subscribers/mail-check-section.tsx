import { useState } from "react";
import { type MailCheck, subscriberEndpoints } from "#contract/subscribers.ts";
import { Button } from "../../components/button.tsx";
import { FormError } from "../../components/form-error.tsx";
import { Icon, type IconName } from "../../components/icon.tsx";
import { Section } from "../../components/section.tsx";
import { ApiError, call } from "../../lib/api-client.ts";
import { toasts } from "../../lib/toasts.ts";
import css from "./mail-check-section.module.css";

type MailRecord = MailCheck["records"][number];

/** Whether mails are likely to arrive: what the DNS says of the sender, and a mail to oneself. */
export function MailCheckSection({ workspaceId }: { workspaceId: string }) {
  const params = { workspaceId };
  const [check, setCheck] = useState<MailCheck>();
  const [problem, setProblem] = useState<string>();
  const [busy, setBusy] = useState<"check" | "mail">();

  async function lookUp() {
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

  async function sendOne() {
    setBusy("mail");
    try {
      const { sent, to } = await call(subscriberEndpoints.testMail, { params });
      if (sent) toasts.success("A test mail is on its way", `to ${to}`);
      else
        toasts.error(
          "The mail was not taken",
          "No mail service is set up, or it refused it. Whoever runs this installation finds why in its log.",
        );
    } catch (error) {
      toasts.error("The test mail was not sent", error instanceof ApiError ? error.message : "Please try again later");
    } finally {
      setBusy(undefined);
    }
  }

  return (
    <Section
      title="Mail check"
      text="Mail services believe a sender whose domain says which servers may send for it (SPF), with which key (DKIM), and what to do with the rest (DMARC)."
    >
      <div className={css.buttons}>
        <Button icon="search" busy={busy === "check"} onClick={() => void lookUp()}>
          {check ? "Check again" : "Check the domain"}
        </Button>
        <Button icon="send" busy={busy === "mail"} onClick={() => void sendOne()}>
          Send a test mail to me
        </Button>
      </div>
      {problem && <FormError title="The domain could not be checked" message={problem} />}
      <div aria-live="polite">{check && !problem && <Result check={check} />}</div>
    </Section>
  );
}

function Result({ check: { domain, records } }: { check: MailCheck }) {
  if (domain === null) return <p>No mail service is set up on this installation, so there is no domain to check.</p>;
  return (
    <>
      <p className={css.domain}>
        Mails come from <strong>{domain}</strong>
      </p>
      <ul role="list" className={css.records}>
        {records.map((record) => (
          <RecordLine key={record.kind} record={record} />
        ))}
      </ul>
    </>
  );
}

const looks: Readonly<Record<MailRecord["state"], { word: string; icon: IconName }>> = {
  found: { word: "Found", icon: "check-circle" },
  missing: { word: "Missing", icon: "times-circle" },
  wrong: { word: "Wrong", icon: "exclamation-triangle" },
  unknown: { word: "Not known", icon: "question-circle" },
};

function RecordLine({ record: { kind, state, name, value, text } }: { record: MailRecord }) {
  const { word, icon } = looks[state];
  return (
    <li className={css.record}>
      <p className={css.head}>
        <strong>{kind}</strong>
        <span className={`${css.state} ${css[state]}`}>
          <Icon name={icon} />
          {word}
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
