import { Link } from "react-router-dom";
import { reviewEndpoints } from "#contract/reviews.ts";
import { relativeTime } from "#contract/rules/relative-time.ts";
import { moment } from "../../lib/moment.ts";
import { paths } from "../../lib/paths.ts";
import { useCall } from "../../lib/use-call.ts";
import css from "./waiting-for-you.module.css";
import { Row, Stack, Text } from "../../ui/layout.tsx";

/** Requests for this user's approval, oldest first; hidden without any. */
export function WaitingForYou({ workspaceId }: { workspaceId: string }) {
  const { data } = useCall(reviewEndpoints.waiting, { params: { workspaceId } }, { shouldRetryOnError: false });
  const count = (data?.reviews.length ?? 0) + (data?.proposals.length ?? 0);
  if (!data || count === 0) return null;
  const now = new Date();
  const when = (at: string) => (
    <Text as="time" size="small" tone="muted" dateTime={at} title={moment(at)}>
      {relativeTime(at, now)}
    </Text>
  );
  return (
    <section className={css.waiting} aria-labelledby="waiting-for-you">
      <h2 id="waiting-for-you">{`Waiting for you (${count})`}</h2>
      <ul role="list" aria-labelledby="waiting-for-you">
        {data.reviews.map(({ id, post_id: post, title, asked_by_name: name, asked_at: at, publish_at: publishAt, note }) => (
          <Row as="li" key={id} justify="between" align="baseline" gap={4}>
            <Stack as="span" grow="16rem">
              <strong>{name ?? "Someone"}</strong> requested approval for{" "}
              <Link to={paths.editPost(workspaceId, post)}>{title || "Untitled"}</Link>
              {publishAt && <>, to publish {moment(publishAt)}</>}
              {note && <q className={css.note}>{note}</q>}
            </Stack>
            {when(at)}
          </Row>
        ))}
        {data.proposals.map(({ id, post_id: post, post_title: title, proposed_by_name: name, proposed_at: at, note }) => (
          <Row as="li" key={id} justify="between" align="baseline" gap={4}>
            <Stack as="span" grow="16rem">
              <strong>{name ?? "Someone"}</strong> proposed changes to{" "}
              <Link to={`${paths.editPost(workspaceId, post)}?proposal=${id}`}>{title || "Untitled"}</Link>
              {note && <q className={css.note}>{note}</q>}
            </Stack>
            {when(at)}
          </Row>
        ))}
      </ul>
    </section>
  );
}
