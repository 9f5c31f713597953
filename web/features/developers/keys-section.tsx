import { Suspense, useState } from "react";
import type { z } from "zod";
import { type ApiKey, apiKeyEndpoints, type createApiKeyInput } from "#contract/api-keys.ts";
import { Button } from "../../components/button.tsx";
import { EmptyState } from "../../components/empty-state.tsx";
import { Icon } from "../../components/icon.tsx";
import { lazyPart } from "../../components/lazy-part.tsx";
import { ListNotRead } from "../../components/list-not-read.tsx";
import { PopupMenu } from "../../components/popup-menu.tsx";
import { call } from "../../lib/api-client.ts";
import { moment } from "../../lib/moment.ts";
import { useCall } from "../../lib/use-call.ts";
import { useNow } from "../../lib/use-now.ts";
import { useProfile } from "../session/profile.ts";
import { emptyDraft, type KeyDraft } from "./key-draft.ts";
import { KeyRow, traceOf } from "./key-row.tsx";
import css from "../../components/table-section.module.css";

const KeyDialog = lazyPart(
  () => import("./key-dialog.tsx"),
  (part) => part.KeyDialog,
);
const SecretDialog = lazyPart(
  () => import("./secret-dialog.tsx"),
  (part) => part.SecretDialog,
);
const KeyQuestion = lazyPart(
  () => import("./key-question.tsx"),
  (part) => part.KeyQuestion,
);

/** The keys by which programs write: made, rotated and revoked here. */
export function KeysSection({ workspaceId }: { workspaceId: string }) {
  const list = useApiKeys(workspaceId);
  const { keys, error } = list;
  const { data: profile } = useProfile();
  const [draft, setDraft] = useState<KeyDraft>(emptyDraft);
  const [making, setMaking] = useState(false);
  const [made, setMade] = useState<{ key: ApiKey; secret: string; rotated: boolean }>();
  const [asking, setAsking] = useState<{ key: ApiKey; about: "rotate" | "revoke" }>();
  const now = useNow(60_000);
  const working = keys?.filter(({ state }) => state === "active") ?? [];
  const ended = keys?.filter(({ state }) => state !== "active") ?? [];

  const adding = (
    <Button variant="primary" icon="plus" onClick={() => setMaking(true)}>
      New API key
    </Button>
  );
  const menuOf = (key: ApiKey) => (
    <PopupMenu
      className={css.menu}
      label={`Actions for ${key.name}`}
      choices={[
        // Who made it alone may: it acts in their place.
        ...(key.created_by === profile?.user_id
          ? [{ label: "Give it a new secret", icon: "refresh" as const, onChoose: () => setAsking({ key, about: "rotate" }) }]
          : []),
        { label: "Revoke", icon: "trash" as const, danger: true, onChoose: () => setAsking({ key, about: "revoke" }) },
      ]}
    >
      <Icon name="ellipsis-h" />
    </PopupMenu>
  );

  return (
    <section className={css.section} aria-labelledby="keys">
      <header className={css.head}>
        <div>
          <h2 id="keys">API keys</h2>
          <p className={css.what}>For your release pipeline and other programs. A key acts in the place of the person who made it.</p>
        </div>
        {working.length > 0 && adding}
      </header>
      {!keys ? (
        <ListNotRead what="the keys" error={error} rows={2} onRetry={() => void list.reload()} />
      ) : (
        <>
          {working.length === 0 ? (
            <EmptyState
              drawing="key"
              level={3}
              title="No key yet"
              text="With one, a release can write its own changelog entry. What a key may do, you choose."
              action={adding}
            />
          ) : (
            <table className={`${css.table} ${css.keys}`} aria-labelledby="keys">
              <thead>
                <tr>
                  <th scope="col">NAME</th>
                  <th scope="col">MAY</th>
                  <th scope="col">LAST USED</th>
                  <th scope="col">ENDS</th>
                  <th scope="col">
                    <span className="visually-hidden">ACTIONS</span>
                  </th>
                </tr>
              </thead>
              <tbody>
                {working.map((key) => (
                  <KeyRow key={key.id} apiKey={key} now={now} menu={menuOf(key)} />
                ))}
              </tbody>
            </table>
          )}
          {ended.length > 0 && (
            <details className={css.ended}>
              <summary>{ended.length === 1 ? "1 key has ended" : `${ended.length.toLocaleString()} keys have ended`}</summary>
              <ul role="list">
                {ended.map((key) => (
                  <li key={key.id}>
                    <strong>{key.name}</strong>{" "}
                    <span className={css.muted}>
                      {traceOf(key)} ·{" "}
                      {key.state === "revoked"
                        ? `revoked${key.revoked_at ? ` ${moment(key.revoked_at)}` : ""}`
                        : `expired ${moment(key.expires_at!)}`}{" "}
                      · made by {key.created_by_name}
                    </span>
                  </li>
                ))}
              </ul>
            </details>
          )}
        </>
      )}
      <Suspense>
        {making && (
          <KeyDialog
            draft={draft}
            onDraft={(changes) => setDraft((before) => ({ ...before, ...changes }))}
            create={async (body) => {
              const answer = await list.create(body);
              setMaking(false);
              setDraft(emptyDraft);
              setMade({ ...answer, rotated: false });
            }}
            onClose={() => setMaking(false)}
          />
        )}
        {asking && (
          <KeyQuestion
            apiKey={asking.key}
            about={asking.about}
            rotate={async () => setMade({ ...(await list.rotate(asking.key)), rotated: true })}
            revoke={() => list.revoke(asking.key)}
            onClose={() => setAsking(undefined)}
          />
        )}
        {made && (
          <SecretDialog
            title={made.rotated ? `New secret of ${made.key.name}` : `${made.key.name} is made`}
            what="the API key"
            secret={made.secret}
            onDone={() => setMade(undefined)}
          >
            <p>
              We keep only a trace of it by which it is recognised.{" "}
              {made.rotated && made.key.former_until
                ? `Put it where the old one is by ${moment(made.key.former_until)}: until then both work.`
                : "Keep it where your pipeline keeps its secrets, for example as TIDINGS_KEY. Never in a repository, never in a browser."}
            </p>
          </SecretDialog>
        )}
      </Suspense>
    </section>
  );
}

/** A workspace's keys, and what can be done with them. What writes throws an ApiError. */
function useApiKeys(workspaceId: string) {
  const params = { workspaceId };
  const { data, error, mutate } = useCall(apiKeyEndpoints.list, { params });
  return {
    keys: data?.keys,
    error,
    reload: () => mutate(),
    create: async (body: z.input<typeof createApiKeyInput>) => {
      const made = await call(apiKeyEndpoints.create, { params, body });
      void mutate();
      return made;
    },
    rotate: async ({ id }: ApiKey) => {
      const made = await call(apiKeyEndpoints.rotate, { params: { workspaceId, id } });
      void mutate();
      return made;
    },
    revoke: async ({ id }: ApiKey): Promise<void> => {
      await call(apiKeyEndpoints.revoke, { params: { workspaceId, id } });
      await mutate();
    },
  };
}
