import { Suspense, useState } from "react";
import type { z } from "zod";
import { type ApiKey, apiKeyEndpoints, type createApiKeyInput } from "#contract/api-keys.ts";
import { Button } from "../../ui/button.tsx";
import { EmptyState } from "../../ui/empty-state.tsx";
import { Icon } from "../../ui/icon.tsx";
import { lazyPart } from "../../ui/lazy-part.tsx";
import { ListLoading } from "../../ui/list-loading.tsx";
import { PopupMenu } from "../../ui/popup-menu.tsx";
import { call } from "../../lib/api-client.ts";
import { moment } from "../../lib/moment.ts";
import { useCall } from "../../lib/use-call.ts";
import { useNow } from "../../lib/use-now.ts";
import { useProfile } from "../account/profile.ts";
import { emptyDraft, type KeyDraft } from "./key-draft.ts";
import { KeyRow, maskedKey } from "./key-row.tsx";
import css from "../../ui/table-section.module.css";

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

/** API keys: create, rotate, revoke. */
export function KeysSection({ workspaceId }: { workspaceId: string }) {
  const list = useApiKeys(workspaceId);
  const { keys, error } = list;
  const { data: profile } = useProfile();
  const [draft, setDraft] = useState<KeyDraft>(emptyDraft);
  const [creating, setMaking] = useState(false);
  const [created, setCreated] = useState<{ key: ApiKey; secret: string; rotated: boolean }>();
  const [confirming, setConfirming] = useState<{ key: ApiKey; about: "rotate" | "revoke" }>();
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
        // Only its creator can rotate a key, since it acts on their behalf.
        ...(key.created_by === profile?.user_id
          ? [{ label: "Create new secret", icon: "refresh" as const, onChoose: () => setConfirming({ key, about: "rotate" }) }]
          : []),
        { label: "Revoke", icon: "trash" as const, danger: true, onChoose: () => setConfirming({ key, about: "revoke" }) },
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
          <p className={css.what}>For CI and scripts. A key acts on behalf of the person who created it.</p>
        </div>
        {working.length > 0 && adding}
      </header>
      {!keys ? (
        <ListLoading label="the keys" error={error} rows={2} onRetry={() => void list.reload()} />
      ) : (
        <>
          {working.length === 0 ? (
            <EmptyState
              drawing="key"
              level={3}
              title="No API keys yet"
              text="Create a key to publish releases from CI. You choose its permissions."
              action={adding}
            />
          ) : (
            <table className={`${css.table} ${css.keys}`} aria-labelledby="keys">
              <thead>
                <tr>
                  <th scope="col">NAME</th>
                  <th scope="col">PERMISSIONS</th>
                  <th scope="col">LAST USED</th>
                  <th scope="col">EXPIRES</th>
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
              <summary>
                {ended.length === 1 ? "1 revoked or expired key" : `${ended.length.toLocaleString()} revoked or expired keys`}
              </summary>
              <ul role="list">
                {ended.map((key) => (
                  <li key={key.id}>
                    <strong>{key.name}</strong>{" "}
                    <span className={css.muted}>
                      {maskedKey(key)} ·{" "}
                      {key.state === "revoked"
                        ? `revoked${key.revoked_at ? ` ${moment(key.revoked_at)}` : ""}`
                        : `expired ${moment(key.expires_at!)}`}{" "}
                      · created by {key.created_by_name}
                    </span>
                  </li>
                ))}
              </ul>
            </details>
          )}
        </>
      )}
      <Suspense>
        {creating && (
          <KeyDialog
            draft={draft}
            onDraft={(changes) => setDraft((before) => ({ ...before, ...changes }))}
            create={async (body) => {
              const answer = await list.create(body);
              setMaking(false);
              setDraft(emptyDraft);
              setCreated({ ...answer, rotated: false });
            }}
            onClose={() => setMaking(false)}
          />
        )}
        {confirming && (
          <KeyQuestion
            apiKey={confirming.key}
            about={confirming.about}
            rotate={async () => setCreated({ ...(await list.rotate(confirming.key)), rotated: true })}
            revoke={() => list.revoke(confirming.key)}
            onClose={() => setConfirming(undefined)}
          />
        )}
        {created && (
          <SecretDialog
            title={created.rotated ? `New secret for ${created.key.name}` : "API key created"}
            what="the API key"
            secret={created.secret}
            onDone={() => setCreated(undefined)}
          >
            <p>
              We only store a hash, so we can't show it again.{" "}
              {created.rotated && created.key.former_until
                ? `Replace the old secret by ${moment(created.key.former_until)}. Both work until then.`
                : "Store it as a CI secret, for example TIDINGS_KEY. Never put it in a repository or a browser."}
            </p>
          </SecretDialog>
        )}
      </Suspense>
    </section>
  );
}

/** Writes throw ApiError. */
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
