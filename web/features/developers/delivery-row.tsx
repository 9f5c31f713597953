import { useId, useState } from "react";
import { Link } from "react-router-dom";
import useSWR from "swr";
import { chatEvents, type Delivery, webhookEndpoints, type WebhookKind } from "#contract/webhooks.ts";
import { Button } from "../../ui/button.tsx";
import { Facts } from "../../ui/facts.tsx";
import { Icon } from "../../ui/icon.tsx";
import { Note, Row, Stack, Text } from "../../ui/layout.tsx";
import { Skeleton } from "../../ui/skeleton.tsx";
import { StatusLabel } from "../../ui/status-label.tsx";
import { call } from "../../lib/api-client.ts";
import { moment } from "../../lib/moment.ts";
import { paths } from "../../lib/paths.ts";
import { CodeSample } from "../../ui/code-sample.tsx";
import { deliveryStatus } from "./webhook-labels.ts";
import css from "./delivery-row.module.css";

interface DeliveryRowProps {
  workspaceId: string;
  kind: WebhookKind;
  delivery: Delivery;
  busy: boolean;
  /** Absent while the webhook is off. */
  onResend?: () => void;
}

/** Expands to its attempts, responses and body. */
export function DeliveryRow({ workspaceId, kind, delivery, busy, onResend }: DeliveryRowProps) {
  const [open, setOpen] = useState(false);
  const id = useId();
  const { event, tries, again } = delivery;
  const last = tries.at(-1);
  const next = last && delivery.next_try_at;
  return (
    <li className={css.row}>
      <button type="button" className={css.line} aria-expanded={open} aria-controls={open ? id : undefined} onClick={() => setOpen(!open)}>
        <Text as="span" tone="muted">
          <Icon name={open ? "angle-down" : "angle-right"} />
        </Text>
        <span>
          <StatusLabel {...deliveryStatus(delivery)} />
          {next && !open && <span className={css.next}>Next attempt: {moment(next)}</span>}
        </span>
        <Row as="span" align="baseline" className={css.event}>
          <Text as="code" size="code">
            {event.type}
          </Text>
          {event.about && <Text as="span">{event.about}</Text>}
          {again && <Note as="span">resent</Note>}
        </Row>
        <span className={css.ms}>{last ? `${last.ms.toLocaleString()} ms` : ""}</span>
        <time className={css.when} dateTime={delivery.created_at}>
          {moment(delivery.created_at)}
        </time>
      </button>
      {open && (
        <Stack id={id} className={css.inside}>
          <Facts
            facts={[
              [
                "webhook-id",
                <Text as="code" size="code" key="id">
                  {event.id}
                </Text>,
              ],
              ["Event time", moment(event.happened_at)],
              [
                "Post",
                event.post_id && event.type !== "post.unpublished" && (
                  <Link key="post" to={paths.editPost(workspaceId, event.post_id)}>
                    {event.about ?? "Open post"}
                  </Link>
                ),
              ],
              ["Next attempt", delivery.next_try_at && moment(delivery.next_try_at)],
            ]}
          />
          {tries.length > 0 && (
            <Stack as="ol" role="list" gap={3} aria-label="Attempts">
              {tries.map((one, place) => (
                <Stack as="li" gap={2} key={`${one.at} ${place}`}>
                  <Text size="small">
                    <strong>Attempt {place + 1}</strong> · {moment(one.at)} · {one.status ?? "no response"} · {one.ms.toLocaleString()} ms
                  </Text>
                  {one.error && (
                    <Text size="small" tone="danger">
                      {one.error}
                    </Text>
                  )}
                  {one.answer && <CodeSample scrollable label={`the response to attempt ${place + 1}`} code={one.answer} />}
                </Stack>
              ))}
            </Stack>
          )}
          <Body workspaceId={workspaceId} kind={kind} delivery={delivery} />
          {onResend && delivery.state !== "sending" && (
            <div>
              <Button icon="refresh" busy={busy} onClick={onResend}>
                Resend
              </Button>
            </div>
          )}
        </Stack>
      )}
    </li>
  );
}

/** Bodies aren't stored, so this shows what would be sent now. */
function Body({ workspaceId, kind, delivery: { event } }: { workspaceId: string; kind: WebhookKind; delivery: Delivery }) {
  const [shown, setShown] = useState(false);
  const post = event.post_id;
  const type = chatEvents.find((one) => one === event.type);
  const isKnown = type !== undefined && post !== null;
  const { data, error, mutate } = useSWR(shown && isKnown ? ["delivery body", post, type] : null, () =>
    call(webhookEndpoints.preview, { params: { workspaceId }, body: { kind, event: type!, post: post! } }),
  );
  if (!isKnown) return null;
  if (!shown) {
    return (
      <Button variant="quiet" icon="code" style={{ justifySelf: "start" }} onClick={() => setShown(true)}>
        Show body
      </Button>
    );
  }
  if (!data && error) {
    return (
      <Note>
        Couldn't load the body. The post may have been deleted.{" "}
        <Button size="small" onClick={() => void mutate()}>
          Try again
        </Button>
      </Note>
    );
  }
  if (!data) return <Skeleton height="8rem" />;
  return (
    <Stack gap={2}>
      <Note>Current body:</Note>
      <CodeSample scrollable label="the body" code={JSON.stringify(data.body, null, 2)} />
    </Stack>
  );
}
