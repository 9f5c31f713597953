import { Link } from "react-router-dom";
import { reviewEndpoints } from "#contract/reviews.ts";
import { relativeTime } from "#contract/rules/relative-time.ts";
import { moment } from "../../lib/moment.ts";
import { paths } from "../../lib/paths.ts";
import { useCall } from "../../lib/use-call.ts";
import css from "./waiting-for-you.module.css";

/** What others ask this person to approve, oldest first; nothing at all where nobody asks. */
export function WaitingForYou({ workspaceId }: { workspaceId: string }) {
  const { data } = useCall(reviewEndpoints.waiting, { params: { workspaceId } }, { shouldRetryOnError: false });
  const count = (data?.reviews.length ?? 0) + (data?.proposals.length ?? 0);
  if (!data || count === 0) return null;
  const now = new Date();
  const when = (at: string) => (
    <time className={css.when} dateTime={at} title={moment(at)}>
      {relativeTime(at, now)}
    </time>
  );
  return (
    <section className={css.waiting} aria-labelledby="waiting-for-you">
      <h2 id="waiting-for-you">{`Waiting for you (${count})`}</h2>
      <ul role="list" className={css.list} aria-labelledby="waiting-for-you">
        {data.reviews.map(({ id, post_id: post, title, asked_by_name: name, asked_at: at, publish_at: wanted, note }) => (
          <li key={id} className={css.line}>
            <span className={css.words}>
              <strong>{name ?? "Somebody"}</strong> asks for approval of{" "}
              <Link to={paths.editPost(workspaceId, post)}>{title || "Untitled"}</Link>
              {wanted && <>, for {moment(wanted)}</>}
              {note && <q className={css.note}>{note}</q>}
            </span>
            {when(at)}
          </li>
        ))}
        {data.proposals.map(({ id, post_id: post, post_title: title, proposed_by_name: name, proposed_at: at, note }) => (
          <li key={id} className={css.line}>
            <span className={css.words}>
              <strong>{name ?? "Somebody"}</strong> proposes changes to{" "}
              <Link to={`${paths.editPost(workspaceId, post)}?proposal=${id}`}>{title || "Untitled"}</Link>
              {note && <q className={css.note}>{note}</q>}
            </span>
            {when(at)}
          </li>
        ))}
      </ul>
    </section>
  );
}
