import { Suspense, useState } from "react";
import { requestsPerPost } from "#contract/limits.ts";
import { type Post, postEndpoints } from "#contract/posts.ts";
import { requestKind, requestLabel } from "#contract/rules/request-kind.ts";
import { call } from "../../../lib/api-client.ts";
import { useAction } from "../../../lib/use-action.ts";
import { IconButton } from "../../../ui/icon-button.tsx";
import { List, Row } from "../../../ui/layout.tsx";
import { lazyPart } from "../../../ui/lazy-part.tsx";
import css from "./details.module.css";
import { FoldedBar } from "./folded-bar.tsx";
import { RequestIcon } from "./request-icon.tsx";

const RequestForm = lazyPart(() => import("./request-form.tsx"), "RequestForm", { inPlace: true });
const services = { linear: "Linear", jira: "Jira", github: "GitHub" };

/** Issues and pull requests that a post answers. Saved on each change, without a new version. */
export function RequestsBar({ post, canWrite }: { post: Post; canWrite: boolean }) {
  const [open, setOpen] = useState(false);
  const [changed, setChanged] = useState<string[]>();
  const [added, setAdded] = useState(0);
  const { running, run } = useAction();
  const requests = changed ?? post.requests;
  if (!canWrite && requests.length === 0) return null;

  async function change(body: { add?: string[]; remove?: string[] }) {
    setChanged((await call(postEndpoints.linkRequests, { params: { id: post.id }, body })).requests);
  }
  return (
    <FoldedBar label="Linked requests" values={requests.map(requestLabel).join(" · ")} open={open} onToggle={() => setOpen(!open)}>
      {requests.length > 0 && (
        <List aria-label="Linked requests">
          {requests.map((url) => (
            <li key={url}>
              <Row as="a" href={url} target="_blank" rel="noreferrer" className={css.request}>
                <RequestIcon kind={requestKind(url) ?? "github"} />
                {requestLabel(url)}
                <span className="visually-hidden">{`in ${services[requestKind(url) ?? "github"]}`}</span>
              </Row>
              {canWrite && (
                <IconButton
                  icon="times"
                  label={`Remove ${requestLabel(url)}`}
                  busy={running === url}
                  onClick={() => void run(url, "Couldn't remove the link", () => change({ remove: [url] }))}
                />
              )}
            </li>
          ))}
        </List>
      )}
      {canWrite && requests.length < requestsPerPost && (
        <Suspense>
          <RequestForm
            key={added}
            isNext={added > 0}
            onLink={async (url) => {
              await change({ add: [url] });
              setAdded(added + 1);
            }}
          />
        </Suspense>
      )}
    </FoldedBar>
  );
}
