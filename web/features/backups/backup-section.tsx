import { Suspense, useState } from "react";
import type { z } from "zod";
import { type Backup, backupEndpoints, type backupInput, type BackupRun } from "#contract/backups.ts";
import type { Workspace } from "#contract/workspaces.ts";
import { Button, ButtonLink } from "../../ui/button.tsx";
import { Facts } from "../../ui/facts.tsx";
import { LoadError } from "../../ui/form-error.tsx";
import { List, Row, Stack, Text } from "../../ui/layout.tsx";
import { lazyPart } from "../../ui/lazy-part.tsx";
import { Section } from "../../ui/section.tsx";
import { Loading, Skeleton } from "../../ui/skeleton.tsx";
import { StatusLabel } from "../../ui/status-label.tsx";
import { ApiError, call } from "../../lib/api-client.ts";
import { moment } from "../../lib/moment.ts";
import { paths } from "../../lib/paths.ts";
import { toasts } from "../../lib/toasts.ts";
import { useCall } from "../../lib/use-call.ts";
import { useHasAddOn } from "../add-ons/use-add-ons.ts";
import { formatContent } from "./backup-labels.ts";
import { BackupForm } from "./backup-form.tsx";

const ConfirmDialog = lazyPart(() => import("../../ui/confirm-dialog.tsx"), "ConfirmDialog");
const RestoreDialog = lazyPart(() => import("./restore-dialog.tsx"), "RestoreDialog");

const shownRuns = 5;

/** For the owner. */
export function BackupSection({ workspace }: { workspace: Workspace }) {
  const hasAddOn = useHasAddOn(workspace.id, "backup");
  return (
    <Section title="Backup" text="Back up everything, including images, to your own bucket every day.">
      {hasAddOn === undefined ? (
        <Waiting />
      ) : hasAddOn ? (
        <Settings workspaceId={workspace.id} />
      ) : (
        <>
          <Text tone="muted">This workspace doesn't have the Backup add-on yet.</Text>
          <ButtonLink to={paths.upgrade({ workspace: workspace.id, "add-ons": "backup" })} icon="bolt">
            Get Backup
          </ButtonLink>
        </>
      )}
    </Section>
  );
}

const Waiting = () => (
  <Loading label="Loading backup settings">
    <Stack gap={3}>
      <Skeleton height="1.25rem" width="70%" />
      <Skeleton height="2.75rem" />
    </Stack>
  </Loading>
);

function Settings({ workspaceId }: { workspaceId: string }) {
  const { data, error, reload, ...actions } = useBackup(workspaceId);
  if (data) return <Loaded workspaceId={workspaceId} backup={data} {...actions} />;
  if (!error) return <Waiting />;
  return <LoadError title="Couldn't load backup settings" message={error.message} onRetry={() => void reload()} />;
}

type Actions = Pick<ReturnType<typeof useBackup>, "save" | "remove" | "run">;

function Loaded({ workspaceId, backup: { settings, runs }, save, remove, run }: { workspaceId: string; backup: Backup } & Actions) {
  const [activity, setDoing] = useState<"changing" | "leaving" | "restoring">();
  const [busy, setBusy] = useState<"run" | "remove">();
  const [showAll, setAll] = useState(false);
  const isRunning = runs[0]?.state === "running";

  async function runAction(action: "run" | "remove", work: () => Promise<void>, failure: string) {
    setBusy(action);
    try {
      await work();
      setDoing(undefined);
    } catch (error) {
      toasts.error(failure, error instanceof ApiError ? error.sentence : "Please try again later");
    } finally {
      setBusy(undefined);
    }
  }

  return (
    <>
      {settings === null || activity === "changing" ? (
        <BackupForm settings={settings} save={save} onClose={settings ? () => setDoing(undefined) : undefined} />
      ) : (
        <>
          <Facts
            facts={[
              ["Bucket", `${settings.bucket} at ${new URL(settings.endpoint).host}`],
              ["Encrypted", settings.encrypted ? "Yes, with your passphrase" : "No"],
              ["Retention", settings.keep_days === 1 ? "1 day" : `${settings.keep_days} days`],
              ["Next backup", settings.next_at && moment(settings.next_at)],
            ]}
          />
          <Row gap={3}>
            <Button
              variant="primary"
              busy={busy === "run" || isRunning}
              onClick={() => void runAction("run", run, "Couldn't start a backup")}
            >
              {isRunning ? "Backing up…" : "Back up now"}
            </Button>
            <Button onClick={() => setDoing("restoring")}>Restore backup</Button>
            <Button onClick={() => setDoing("changing")}>Edit</Button>
            <Button variant="quietDanger" onClick={() => setDoing("leaving")}>
              Turn off
            </Button>
          </Row>
        </>
      )}
      {runs.length > 0 && (
        <List role="list" aria-label="Recent backups">
          {runs.slice(0, showAll ? undefined : shownRuns).map((one) => (
            <Run key={one.id} run={one} />
          ))}
        </List>
      )}
      {runs.length > shownRuns && !showAll && (
        <Button variant="quiet" size="small" onClick={() => setAll(true)}>
          Show all {runs.length}
        </Button>
      )}
      {settings && runs.length === 0 && <Text tone="muted">Your backups will appear here.</Text>}
      <Suspense>
        {activity === "leaving" && (
          <ConfirmDialog
            title="Turn off backups?"
            confirm="Turn off"
            danger
            busy={busy === "remove"}
            onConfirm={() => void runAction("remove", remove, "Couldn't turn off backups")}
            onClose={() => setDoing(undefined)}
          >
            We'll stop making backups and delete the access key and passphrase. Existing backups stay in your bucket.
          </ConfirmDialog>
        )}
        {activity === "restoring" && <RestoreDialog workspaceId={workspaceId} onClose={() => setDoing(undefined)} />}
      </Suspense>
    </>
  );
}

function Run({ run }: { run: BackupRun }) {
  return (
    <Row as="li" gap={4}>
      <span>{moment(run.started_at)}</span>
      <Text as="span" tone="muted" style={{ flex: "1 1 12rem" }}>
        {run.problem ?? formatContent(run)}
      </Text>
      {run.state === "done" ? (
        <StatusLabel label="Done" icon="check-circle" tone="ok" />
      ) : run.state === "failed" ? (
        <StatusLabel label="Failed" icon="exclamation-triangle" tone="danger" />
      ) : (
        <StatusLabel label="In progress" icon="clock" tone="muted" />
      )}
    </Row>
  );
}

/** Polling interval during a backup. */
const pollMs = 2_000;

const isRunning = (backup: Backup | undefined) => backup?.runs[0]?.state === "running";

/** Backup settings and runs. Writes throw ApiError. */
function useBackup(workspaceId: string) {
  const params = { workspaceId };
  const { data, error, mutate } = useCall(
    backupEndpoints.get,
    { params },
    { refreshInterval: (latest) => (isRunning(latest) ? pollMs : 0) },
  );
  return {
    data,
    error,
    reload: () => mutate(),
    save: async (body: z.input<typeof backupInput>): Promise<void> => {
      await mutate(await call(backupEndpoints.put, { params, body }), { revalidate: false });
    },
    remove: async (): Promise<void> => {
      await call(backupEndpoints.remove, { params });
      await mutate();
    },
    run: async (): Promise<void> => {
      await call(backupEndpoints.run, { params });
      await mutate();
    },
  };
}
