import { useId, useState } from "react";
import { Link } from "react-router-dom";
import { chatEvents, type Delivery, webhookEndpoints, type WebhookKind } from "#contract/webhooks.ts";
import { Button } from "../../ui/button.tsx";
import { Icon } from "../../ui/icon.tsx";
import { Skeleton } from "../../ui/skeleton.tsx";
import { call } from "../../lib/api-client.ts";
import { moment } from "../../lib/moment.ts";
import { paths } from "../../lib/paths.ts";
import { CodeSample } from "../../ui/code-sample.tsx";
import { useAnswer } from "./use-answer.ts";
import { deliveryStatus } from "./webhook-labels.ts";
import css from "./delivery-log.module.css";

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
  const { look: tone, icon, words: label } = deliveryStatus(delivery);
  const last = tries.at(-1);
  const next = last && delivery.next_try_at;
  return (
    <li className={css.delivery}>
      <button type="button" className={css.line} aria-expanded={open} aria-controls={open ? id : undefined} onClick={() => setOpen(!open)}>
        <Icon name={open ? "angle-down" : "angle-right"} className={css.fold} />
        <span className={`${css.state} ${css[tone]}`}>
          <Icon name={icon} />
          <span>
            {label}
            {next && !open && <span className={css.next}>Next attempt: {moment(next)}</span>}
          </span>
        </span>
        <span className={css.event}>
          <code>{event.type}</code>
          {event.about && <span className={css.about}>{event.about}</span>}
          {again && <span className={css.muted}>resent</span>}
        </span>
        <span className={css.ms}>{last ? `${last.ms.toLocaleString()} ms` : ""}</span>
        <time className={css.when} dateTime={delivery.created_at}>
          {moment(delivery.created_at)}
        </time>
      </button>
      {open && (
        <div id={id} className={css.inside}>
          <dl className={css.facts}>
            <dt>webhook-id</dt>
            <dd>
              <code>{event.id}</code>
            </dd>
            <dt>Event time</dt>
            <dd>{moment(event.happened_at)}</dd>
            {event.post_id && event.type !== "post.unpublished" && (
              <>
                <dt>Post</dt>
                <dd>
                  <Link to={paths.editPost(workspaceId, event.post_id)}>{event.about ?? "Open post"}</Link>
                </dd>
              </>
            )}
            {delivery.next_try_at && (
              <>
                <dt>Next attempt</dt>
                <dd>{moment(delivery.next_try_at)}</dd>
              </>
            )}
          </dl>
          {tries.length > 0 && (
            <ol role="list" className={css.tries} aria-label="Attempts">
              {tries.map((one, place) => (
                <li key={`${one.at} ${place}`}>
                  <p>
                    <strong>Attempt {place + 1}</strong> · {moment(one.at)} · {one.status ?? "no response"} · {one.ms.toLocaleString()} ms
                  </p>
                  {one.error && <p className={css.error}>{one.error}</p>}
                  {one.answer && <CodeSample scrollable label={`the response to attempt ${place + 1}`} code={one.answer} />}
                </li>
              ))}
            </ol>
          )}
          <Body workspaceId={workspaceId} kind={kind} delivery={delivery} />
          {onResend && delivery.state !== "sending" && (
            <div>
              <Button icon="refresh" busy={busy} onClick={onResend}>
                Resend
              </Button>
            </div>
          )}
        </div>
      )}
    </li>
  );
}

/** Bodies aren't stored, so this shows what would be sent now. */
function Body({ workspaceId, kind, delivery: { event } }: { workspaceId: string; kind: WebhookKind; delivery: Delivery }) {
  const [shown, setShown] = useState(false);
  const type = chatEvents.find((one) => one === event.type);
  if (type === undefined || event.post_id === null) return null;
  if (!shown) {
    return (
      <div>
        <Button variant="quiet" icon="code" onClick={() => setShown(true)}>
          Show body
        </Button>
      </div>
    );
  }
  return <ShownBody workspaceId={workspaceId} kind={kind} type={type} post={event.post_id} />;
}

interface ShownBodyProps {
  workspaceId: string;
  kind: WebhookKind;
  type: (typeof chatEvents)[number];
  post: string;
}

function ShownBody({ workspaceId, kind, type, post }: ShownBodyProps) {
  const {
    answer,
    failed,
    again: retry,
  } = useAnswer(`${post} ${type}`, () => call(webhookEndpoints.preview, { params: { workspaceId }, body: { kind, event: type, post } }));
  if (failed) {
    return (
      <p className={css.muted}>
        Couldn't load the body. The post may have been deleted.{" "}
        <Button size="small" onClick={retry}>
          Try again
        </Button>
      </p>
    );
  }
  if (!answer) return <Skeleton height="8rem" />;
  return (
    <div className={css.body}>
      <p className={css.muted}>Current body:</p>
      <CodeSample scrollable label="the body" code={JSON.stringify(answer.body, null, 2)} />
    </div>
  );
}
