import { useId, useState } from "react";
import { Link } from "react-router-dom";
import { chatEvents, type Delivery, webhookEndpoints, type WebhookKind } from "#contract/webhooks.ts";
import { Button } from "../../components/button.tsx";
import { Icon } from "../../components/icon.tsx";
import { Skeleton } from "../../components/skeleton.tsx";
import { call } from "../../lib/api-client.ts";
import { moment } from "../../lib/moment.ts";
import { paths } from "../../lib/paths.ts";
import { CodeSample } from "../../components/code-sample.tsx";
import { useAnswer } from "./use-answer.ts";
import { outcomeOf } from "./webhook-labels.ts";
import css from "./delivery-log.module.css";

interface DeliveryRowProps {
  workspaceId: string;
  kind: WebhookKind;
  delivery: Delivery;
  busy: boolean;
  /** Absent: it is switched off. */
  onResend?: () => void;
}

/** One delivery in a line; unfolded, each try of it, what was answered, and the body. */
export function DeliveryRow({ workspaceId, kind, delivery, busy, onResend }: DeliveryRowProps) {
  const [open, setOpen] = useState(false);
  const id = useId();
  const { event, tries, again } = delivery;
  const { look, icon, words } = outcomeOf(delivery);
  const last = tries.at(-1);
  const next = last && delivery.next_try_at;
  return (
    <li className={css.delivery}>
      <button type="button" className={css.line} aria-expanded={open} aria-controls={open ? id : undefined} onClick={() => setOpen(!open)}>
        <Icon name={open ? "angle-down" : "angle-right"} className={css.fold} />
        <span className={`${css.state} ${css[look]}`}>
          <Icon name={icon} />
          <span>
            {words}
            {next && !open && <span className={css.next}>Next try: {moment(next)}</span>}
          </span>
        </span>
        <span className={css.event}>
          <code>{event.type}</code>
          {event.about && <span className={css.about}>{event.about}</span>}
          {again && <span className={css.muted}>sent again</span>}
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
            <dt>Happened</dt>
            <dd>{moment(event.happened_at)}</dd>
            {event.post_id && event.type !== "post.unpublished" && (
              <>
                <dt>Post</dt>
                <dd>
                  <Link to={paths.editPost(workspaceId, event.post_id)}>{event.about ?? "Open it"}</Link>
                </dd>
              </>
            )}
            {delivery.next_try_at && (
              <>
                <dt>Next try</dt>
                <dd>{moment(delivery.next_try_at)}</dd>
              </>
            )}
          </dl>
          {tries.length > 0 && (
            <ol role="list" className={css.tries} aria-label="Tries">
              {tries.map((one, place) => (
                <li key={`${one.at} ${place}`}>
                  <p>
                    <strong>Try {place + 1}</strong> · {moment(one.at)} · {one.status ?? "no answer"} · {one.ms.toLocaleString()} ms
                  </p>
                  {one.error && <p className={css.error}>{one.error}</p>}
                  {one.answer && <CodeSample low what={`the answer to try ${place + 1}`} code={one.answer} />}
                </li>
              ))}
            </ol>
          )}
          <Body workspaceId={workspaceId} kind={kind} delivery={delivery} />
          {onResend && delivery.state !== "sending" && (
            <div>
              <Button icon="refresh" busy={busy} onClick={onResend}>
                Send again
              </Button>
            </div>
          )}
        </div>
      )}
    </li>
  );
}

/** Bodies are made when they are sent and not kept: shown is the one that would be sent now. */
function Body({ workspaceId, kind, delivery: { event } }: { workspaceId: string; kind: WebhookKind; delivery: Delivery }) {
  const [shown, setShown] = useState(false);
  const type = chatEvents.find((one) => one === event.type);
  if (type === undefined || event.post_id === null) return null;
  if (!shown) {
    return (
      <div>
        <Button variant="quiet" icon="code" onClick={() => setShown(true)}>
          Show the body
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
  const { answer, failed, again } = useAnswer(`${post} ${type}`, () =>
    call(webhookEndpoints.preview, { params: { workspaceId }, body: { kind, event: type, post } }),
  );
  if (failed) {
    return (
      <p className={css.muted}>
        The body cannot be shown: the post may be gone.{" "}
        <Button size="small" onClick={again}>
          Try again
        </Button>
      </p>
    );
  }
  if (!answer) return <Skeleton height="8rem" />;
  return (
    <div className={css.body}>
      <p className={css.muted}>The body as it would be sent now:</p>
      <CodeSample low what="the body" code={JSON.stringify(answer.body, null, 2)} />
    </div>
  );
}
