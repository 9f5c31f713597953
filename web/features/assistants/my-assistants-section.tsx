import { Suspense, useRef, useState } from "react";
import { Link } from "react-router-dom";
import useSWR from "swr";
import { type Assistant, assistantEndpoints } from "#contract/oauth.ts";
import { relativeTime } from "#contract/rules/relative-time.ts";
import type { Workspace } from "#contract/workspaces.ts";
import { Button } from "../../ui/button.tsx";
import { LoadError } from "../../ui/form-error.tsx";
import { lazyPart } from "../../ui/lazy-part.tsx";
import { Section } from "../../ui/section.tsx";
import { Loading, Skeleton } from "../../ui/skeleton.tsx";
import { type ApiError, address, call, read } from "../../lib/api-client.ts";
import { paths } from "../../lib/paths.ts";
import { useNow } from "../../lib/use-now.ts";
import { useWorkspaces } from "../workspaces/use-workspaces.ts";
import { WaysToConnect } from "./ways-to-connect.tsx";
import css from "./assistants.module.css";

const EndQuestion = lazyPart(
  () => import("./disconnect-dialog.tsx"),
  (part) => part.DisconnectDialog,
);

interface OwnAssistant {
  assistant: Assistant;
  workspace: Workspace;
}

/** The user's own assistants of all workspaces. */
export function MyAssistantsSection({ userId }: { userId: string }) {
  const { mine: assistants, error, reload } = useOwnAssistants(userId);
  const [ending, setEnding] = useState<OwnAssistant>();
  const list = useRef<HTMLUListElement>(null);
  const now = useNow(60_000);

  async function end({ assistant, workspace }: OwnAssistant) {
    await call(assistantEndpoints.end, { params: { workspaceId: workspace.id, id: assistant.id } });
    await reload();
    list.current?.focus(); // the button disappears with its row
  }

  return (
    <Section title="Assistants" anchor="assistants" text="Apps that act on your behalf. Disconnect any you no longer use.">
      {error && !assistants && <LoadError title="Couldn't load your assistants" message={error.message} onRetry={() => void reload()} />}
      {!error && !assistants && (
        <Loading label="Loading your assistants">
          <Skeleton height="3.5rem" />
        </Loading>
      )}
      {assistants?.length === 0 && <p className={css.muted}>No assistants connected.</p>}
      {assistants && assistants.length > 0 && (
        <ul ref={list} role="list" tabIndex={-1} aria-label="Assistants" className={css.mine}>
          {assistants.map((one) => (
            <li key={one.assistant.id}>
              <span className={css.words}>
                <span>
                  <span className={css.host}>{one.assistant.host}</span>
                  {one.assistant.name !== one.assistant.host && (
                    <span className={css.muted}>
                      {" "}
                      “<bdi>{one.assistant.name}</bdi>”
                    </span>
                  )}
                </span>
                <span className={css.muted}>
                  in <Link to={`${paths.developers(one.workspace.id)}#assistants`}>{one.workspace.name}</Link> ·{" "}
                  {one.assistant.last_used_at ? `last used ${relativeTime(one.assistant.last_used_at, now).toLowerCase()}` : "not used yet"}
                  {one.assistant.scopes.includes("posts:publish") && " · can publish"}
                </span>
              </span>
              <Button
                variant="quiet"
                size="small"
                aria-label={`Disconnect ${one.assistant.host} in ${one.workspace.name}`}
                onClick={() => setEnding(one)}
              >
                Disconnect
              </Button>
            </li>
          ))}
        </ul>
      )}
      <details className={css.connect}>
        <summary>Connect an assistant</summary>
        <WaysToConnect />
      </details>
      <Suspense>
        {ending && <EndQuestion assistant={ending.assistant} end={() => end(ending)} onClose={() => setEnding(undefined)} />}
      </Suspense>
    </Section>
  );
}

function useOwnAssistants(userId: string) {
  const { data, error: unread, mutate: readAgain } = useWorkspaces();
  const workspaces = data?.workspaces;
  const keys = workspaces?.map(({ id }) => address(assistantEndpoints.list.path, { workspaceId: id }));
  const answer = useSWR<Assistant[][], ApiError>(keys ? ["my assistants", ...keys] : null, async ([, ...urls]: string[]) => {
    const lists = await Promise.all(urls.map((url) => read(assistantEndpoints.list, url)));
    return lists.map(({ assistants }) => assistants);
  });
  const mine = answer.data?.flatMap((assistants, place) =>
    assistants.filter(({ created_by }) => created_by === userId).map((assistant) => ({ assistant, workspace: workspaces![place]! })),
  );
  return {
    mine,
    error: answer.error ?? (workspaces ? undefined : unread),
    reload: async () => {
      if (!workspaces) await readAgain();
      await answer.mutate();
    },
  };
}
