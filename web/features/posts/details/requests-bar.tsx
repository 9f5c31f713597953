import { useState } from "react";
import { z } from "zod";
import { requestsPerPost } from "#contract/limits.ts";
import { type Post, postEndpoints, request } from "#contract/posts.ts";
import { requestKind, requestLabel } from "#contract/rules/request-kind.ts";
import { call } from "../../../lib/api-client.ts";
import { useAction } from "../../../lib/use-action.ts";
import { ContractForm, SubmitButton } from "../../../ui/contract-form.tsx";
import { FieldWithButton } from "../../../ui/field-frame.tsx";
import { IconButton } from "../../../ui/icon-button.tsx";
import { List, Row } from "../../../ui/layout.tsx";
import { TextField } from "../../../ui/text-field.tsx";
import css from "./details.module.css";
import { FoldedBar } from "./folded-bar.tsx";
import { RequestIcon } from "./request-icon.tsx";

const requestForm = z.object({ url: request });
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
        <ContractForm
          key={added}
          schema={requestForm}
          failure="Couldn't link the request. Try again."
          onSubmit={async ({ url }) => {
            await change({ add: [url] });
            setAdded(added + 1);
          }}
        >
          <FieldWithButton>
            <TextField
              name="url"
              label="Link request"
              type="url"
              placeholder="https://linear.app/…"
              hint="An issue in Linear, Jira or GitHub, or a pull request. Readers don't see it."
              autoComplete="off"
              autoFocus={added > 0}
            />
            <SubmitButton>Link</SubmitButton>
          </FieldWithButton>
        </ContractForm>
      )}
    </FoldedBar>
  );
}
