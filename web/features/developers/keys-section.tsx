import { Suspense, useState } from "react";
import { type ApiKey, apiKeyEndpoints, formerSecretHours } from "#contract/api-keys.ts";
import { relativeTime } from "#contract/rules/relative-time.ts";
import { Button } from "../../ui/button.tsx";
import { type Column, DataTable, RowMenu } from "../../ui/data-table.tsx";
import { EmptyState } from "../../ui/empty-state.tsx";
import { Icon } from "../../ui/icon.tsx";
import { lazyPart } from "../../ui/lazy-part.tsx";
import { Note, Stack, Text } from "../../ui/layout.tsx";
import { ListSection } from "../../ui/list-section.tsx";
import { day, moment } from "../../lib/moment.ts";
import { toasts } from "../../lib/toasts.ts";
import { useCall } from "../../lib/use-call.ts";
import { useNow } from "../../lib/use-now.ts";
import { useProfile } from "../account/profile.ts";
import { emptyDraft, type KeyDraft } from "./key-draft.ts";
import { scopeLabels } from "./scope-labels.ts";
import { ScopeList } from "./scope-list.tsx";

const KeyDialog = lazyPart(() => import("./key-dialog.tsx"), "KeyDialog");
const SecretDialog = lazyPart(() => import("./secret-dialog.tsx"), "SecretDialog");
const ConfirmAction = lazyPart(() => import("../../ui/confirm-dialog.tsx"), "ConfirmAction");

/** API keys: create, rotate, revoke. */
export function KeysSection({ workspaceId }: { workspaceId: string }) {
  const params = { workspaceId };
  const { data, error, mutate, write } = useCall(apiKeyEndpoints.list, { params });
  const keys = data?.keys;
  const { data: profile } = useProfile();
  const [draft, setDraft] = useState<KeyDraft>(emptyDraft);
  const [creating, setCreating] = useState(false);
  const [created, setCreated] = useState<{ key: ApiKey; secret: string; rotated: boolean }>();
  const [confirming, setConfirming] = useState<{ key: ApiKey; about: "rotate" | "revoke" }>();
  const now = useNow(60_000);
  const working = keys?.filter(({ state }) => state === "active") ?? [];
  const ended = keys?.filter(({ state }) => state !== "active") ?? [];

  const question = ({ key: { id, name }, about }: NonNullable<typeof confirming>) =>
    about === "rotate"
      ? {
          title: `Create a new secret for ${name}?`,
          confirm: "Create secret",
          failure: "Couldn't create a new secret",
          act: async () => setCreated({ ...(await write(apiKeyEndpoints.rotate, { params: { workspaceId, id } })), rotated: true }),
          children: <p>You'll see the new secret once. The old one keeps working for {formerSecretHours} more hours.</p>,
        }
      : {
          title: `Revoke ${name}?`,
          confirm: "Revoke",
          danger: true,
          failure: "Couldn't revoke the key",
          act: async () => {
            await write(apiKeyEndpoints.revoke, { params: { workspaceId, id } });
            toasts.success("Key revoked", `${name} no longer works`);
          },
          children: <p>Anything using this key stops working immediately. This can't be undone. Existing posts aren't affected.</p>,
        };
  const adding = (
    <Button variant="primary" icon="plus" onClick={() => setCreating(true)}>
      New API key
    </Button>
  );
  const columns: Column<ApiKey>[] = [
    { header: "Name", cell: (key) => <KeyName apiKey={key} now={now} />, isRowHeader: true },
    { header: "Permissions", cell: ({ scopes }) => <ScopeList scopes={scopes} labels={scopeLabels} />, width: "18rem", card: "wide" },
    {
      header: "Last used",
      cell: ({ last_used_at: at }) =>
        at ? (
          <time dateTime={at} title={moment(at)}>
            {relativeTime(at, now)}
          </time>
        ) : (
          "Never"
        ),
      width: "8rem",
      style: "small",
      card: "labelled",
    },
    {
      header: "Expires",
      cell: ({ expires_at }) => <Expiry at={expires_at} now={now} />,
      width: "8rem",
      style: "small",
      card: "labelled",
    },
  ];

  return (
    <ListSection
      id="keys"
      title="API keys"
      text="For CI and scripts. A key acts on behalf of the person who created it."
      action={working.length > 0 && adding}
    >
      <DataTable
        aria-labelledby="keys"
        columns={columns}
        rows={keys && working}
        rowKey={({ id }) => id}
        load={{ noun: "the keys", error: keys ? undefined : error, onRetry: () => void mutate(), skeletons: 2 }}
        empty={
          <EmptyState
            drawing="key"
            title="No API keys yet"
            text="Create a key to publish releases from CI. You choose its permissions."
            action={adding}
          />
        }
        actions={(key) => (
          <RowMenu
            label={`Actions for ${key.name}`}
            choices={[
              // Only its creator can rotate a key, since it acts on their behalf.
              ...(key.created_by === profile?.user_id
                ? [{ label: "Create new secret", icon: "refresh" as const, onChoose: () => setConfirming({ key, about: "rotate" }) }]
                : []),
              { label: "Revoke", icon: "trash", danger: true, onChoose: () => setConfirming({ key, about: "revoke" }) },
            ]}
          />
        )}
      />
      {ended.length > 0 && (
        <details>
          <Note as="summary">
            {ended.length === 1 ? "1 revoked or expired key" : `${ended.length.toLocaleString()} revoked or expired keys`}
          </Note>
          <Stack as="ul" role="list" gap={2}>
            {ended.map((key) => (
              <li key={key.id}>
                <strong>{key.name}</strong>{" "}
                <Note as="span">
                  {maskedKey(key)} ·{" "}
                  {key.state === "revoked"
                    ? `revoked${key.revoked_at ? ` ${moment(key.revoked_at)}` : ""}`
                    : `expired ${moment(key.expires_at!)}`}{" "}
                  · created by {key.created_by_name}
                </Note>
              </li>
            ))}
          </Stack>
        </details>
      )}
      <Suspense>
        {creating && (
          <KeyDialog
            draft={draft}
            onDraft={(changes) => setDraft((before) => ({ ...before, ...changes }))}
            create={async (body) => {
              const answer = await write(apiKeyEndpoints.create, { params, body });
              setCreating(false);
              setDraft(emptyDraft);
              setCreated({ ...answer, rotated: false });
            }}
            onClose={() => setCreating(false)}
          />
        )}
        {confirming && <ConfirmAction {...question(confirming)} onClose={() => setConfirming(undefined)} />}
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
    </ListSection>
  );
}

/** Masked key such as "tdk_abcd…wxyz". */
const maskedKey = ({ start, last4 }: ApiKey): string => `${start}…${last4}`;

function KeyName({ apiKey: key, now }: { apiKey: ApiKey; now: Date }) {
  return (
    <>
      {key.name}
      <Text size="code" tone="muted">
        {maskedKey(key)}
      </Text>
      <Note>by {key.created_by_name}</Note>
      {key.former_until && Date.parse(key.former_until) > now.getTime() && (
        <Text size="small" tone="warn">
          <Icon name="history" /> The old secret works until {moment(key.former_until)}
        </Text>
      )}
    </>
  );
}

const soonMs = 14 * 86_400_000;

function Expiry({ at, now }: { at: string | null; now: Date }) {
  if (!at) return "Never";
  const isSoon = Date.parse(at) - now.getTime() < soonMs;
  return (
    <Text as="time" dateTime={at} title={moment(at)} tone={isSoon ? "warn" : undefined}>
      {isSoon && <Icon name="exclamation-triangle" />} {day(at)}
    </Text>
  );
}
