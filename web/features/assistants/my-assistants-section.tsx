import { Suspense, useRef, useState } from "react";
import { Link } from "react-router-dom";
import useSWR from "swr";
import { type Assistant, assistantEndpoints } from "#contract/oauth.ts";
import { relativeTime } from "#contract/rules/relative-time.ts";
import type { Workspace } from "#contract/workspaces.ts";
import { Button } from "../../ui/button.tsx";
import { List, Note } from "../../ui/layout.tsx";
import { ListItem } from "../../ui/list-item.tsx";
import { lazyPart } from "../../ui/lazy-part.tsx";
import { ListLoading } from "../../ui/list-loading.tsx";
import { Section } from "../../ui/section.tsx";
import { type ApiError, address, call, read } from "../../lib/api-client.ts";
import { paths } from "../../lib/paths.ts";
import { useNow } from "../../lib/use-now.ts";
import { useWorkspaces } from "../workspaces/use-workspaces.ts";
import { WaysToConnect } from "./ways-to-connect.tsx";

const DisconnectDialog = lazyPart(() => import("./disconnect-dialog.tsx"), "DisconnectDialog");

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
    <Section title="Assistants" text="Apps that act on your behalf. Disconnect any you no longer use.">
      {!assistants && <ListLoading label="your assistants" error={error} rows={1} onRetry={() => void reload()} />}
      {assistants?.length === 0 && <Note>No assistants connected.</Note>}
      {assistants && assistants.length > 0 && (
        <List ref={list} role="list" tabIndex={-1} aria-label="Assistants">
          {assistants.map((one) => (
            <ListItem
              key={one.assistant.id}
              title={
                <>
                  {one.assistant.host}
                  {one.assistant.name !== one.assistant.host && (
                    <Note as="span">
                      {" "}
                      “<bdi>{one.assistant.name}</bdi>”
                    </Note>
                  )}
                </>
              }
              note={
                <>
                  in <Link to={paths.settings(one.workspace.id, "assistants")}>{one.workspace.name}</Link> ·{" "}
                  {one.assistant.last_used_at ? `last used ${relativeTime(one.assistant.last_used_at, now).toLowerCase()}` : "not used yet"}
                  {one.assistant.scopes.includes("posts:publish") && " · can publish"}
                </>
              }
            >
              <Button
                variant="quiet"
                size="small"
                aria-label={`Disconnect ${one.assistant.host} in ${one.workspace.name}`}
                onClick={() => setEnding(one)}
              >
                Disconnect
              </Button>
            </ListItem>
          ))}
        </List>
      )}
      <details>
        <Note as="summary">Connect an assistant</Note>
        <WaysToConnect />
      </details>
      <Suspense>
        {ending && <DisconnectDialog assistant={ending.assistant} end={() => end(ending)} onClose={() => setEnding(undefined)} />}
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
