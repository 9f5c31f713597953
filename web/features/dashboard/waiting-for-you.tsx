import { Link } from "react-router-dom";
import { reviewEndpoints } from "#contract/reviews.ts";
import { moment } from "../../lib/moment.ts";
import { paths } from "../../lib/paths.ts";
import { useCall } from "../../lib/use-call.ts";
import { RelativeTime } from "../../ui/relative-time.tsx";
import { Panel, Row, Stack, Text } from "../../ui/layout.tsx";

/** Requests for this user's approval, oldest first; hidden without any. */
export function WaitingForYou({ workspaceId }: { workspaceId: string }) {
  const { data } = useCall(reviewEndpoints.waiting, { params: { workspaceId } }, { shouldRetryOnError: false });
  const count = (data?.reviews.length ?? 0) + (data?.proposals.length ?? 0);
  if (!data || count === 0) return null;
  return (
    <Panel as="section" gap={2} style={{ background: "var(--accent-soft)" }} aria-labelledby="waiting-for-you">
      <h2 id="waiting-for-you">{`Waiting for you (${count})`}</h2>
      <ul role="list" aria-labelledby="waiting-for-you">
        {data.reviews.map(({ id, post_id: post, title, asked_by_name: name, asked_at: at, publish_at: publishAt, note }) => (
          <Row as="li" key={id} justify="between" align="baseline" gap={4}>
            <Stack as="span" grow="16rem">
              <strong>{name ?? "Someone"}</strong> requested approval for{" "}
              <Link to={paths.editPost(workspaceId, post)}>{title || "Untitled"}</Link>
              {publishAt && <>, to publish {moment(publishAt)}</>}
              {note && <Note text={note} />}
            </Stack>
            <RelativeTime at={at} />
          </Row>
        ))}
        {data.proposals.map(({ id, post_id: post, post_title: title, proposed_by_name: name, proposed_at: at, note }) => (
          <Row as="li" key={id} justify="between" align="baseline" gap={4}>
            <Stack as="span" grow="16rem">
              <strong>{name ?? "Someone"}</strong> proposed changes to{" "}
              <Link to={`${paths.editPost(workspaceId, post)}?proposal=${id}`}>{title || "Untitled"}</Link>
              {note && <Note text={note} />}
            </Stack>
            <RelativeTime at={at} />
          </Row>
        ))}
      </ul>
    </Panel>
  );
}

/** The full note is on the post's page. */
const Note = ({ text }: { text: string }) => (
  <Text as="q" tone="muted" lines={2} style={{ fontStyle: "italic" }}>
    {text}
  </Text>
);
