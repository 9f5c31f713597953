import { Suspense, useState } from "react";
import type { z } from "zod";
import { type Backup, backupEndpoints, type backupInput, type BackupRun } from "#contract/backups.ts";
import type { Workspace } from "#contract/workspaces.ts";
import { Button, ButtonLink } from "../../components/button.tsx";
import { NotRead } from "../../components/form-error.tsx";
import { lazyPart } from "../../components/lazy-part.tsx";
import { LateSection } from "../../components/section.tsx";
import { Loading, Skeleton } from "../../components/skeleton.tsx";
import { StateWord } from "../../components/state-word.tsx";
import { ApiError, call } from "../../lib/api-client.ts";
import { moment } from "../../lib/moment.ts";
import { paths } from "../../lib/paths.ts";
import { toasts } from "../../lib/toasts.ts";
import { useCall } from "../../lib/use-call.ts";
import { useHasAddOn } from "../add-ons/use-add-ons.ts";
import { contentWords } from "./backup-labels.ts";
import { BackupForm } from "./backup-form.tsx";
import css from "./backup.module.css";

const ConfirmDialog = lazyPart(
  () => import("../../components/confirm-dialog.tsx"),
  (part) => part.ConfirmDialog,
);
const RestoreDialog = lazyPart(
  () => import("./restore-dialog.tsx"),
  (part) => part.RestoreDialog,
);

/** So many runs are shown at first. */
const shownRuns = 5;

/** For the owner: a daily copy in a bucket of his own, and the way back. */
export function BackupSection({ workspace }: { workspace: Workspace }) {
  const isThere = useHasAddOn(workspace.id, "backup");
  return (
    <LateSection title="Backup" text="A copy of everything, images included, every day in a bucket of your own." anchor="backup">
      {isThere === undefined ? (
        <Waiting />
      ) : isThere ? (
        <Settings workspaceId={workspace.id} />
      ) : (
        <>
          <p className={css.note}>This workspace does not have the Backup add-on yet.</p>
          <ButtonLink to={paths.upgrade({ workspace: workspace.id, "add-ons": "backup" })} icon="bolt">
            Get Backup
          </ButtonLink>
        </>
      )}
    </LateSection>
  );
}

const Waiting = () => (
  <Loading label="Loading the backup">
    <div className={css.waiting}>
      <Skeleton height="1.25rem" width="70%" />
      <Skeleton height="2.75rem" />
    </div>
  </Loading>
);

function Settings({ workspaceId }: { workspaceId: string }) {
  const { data, error, reload, ...actions } = useBackup(workspaceId);
  if (data) return <Loaded workspaceId={workspaceId} backup={data} {...actions} />;
  if (!error) return <Waiting />;
  return <NotRead title="The backup could not be read" message={error.message} onRetry={() => void reload()} />;
}

type Actions = Pick<ReturnType<typeof useBackup>, "save" | "remove" | "run">;

function Loaded({ workspaceId, backup: { settings, runs }, save, remove, run }: { workspaceId: string; backup: Backup } & Actions) {
  const [doing, setDoing] = useState<"changing" | "leaving" | "restoring">();
  const [busy, setBusy] = useState<"run" | "remove">();
  const [all, setAll] = useState(false);
  const isRunning = runs[0]?.state === "running";

  async function during(what: "run" | "remove", work: () => Promise<void>, failure: string) {
    setBusy(what);
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
      {settings === null || doing === "changing" ? (
        <BackupForm settings={settings} save={save} onClose={settings ? () => setDoing(undefined) : undefined} />
      ) : (
        <>
          <dl className={css.facts}>
            <dt>Bucket</dt>
            <dd>
              {settings.bucket} <span className={css.note}>at {new URL(settings.endpoint).host}</span>
            </dd>
            <dt>Encrypted</dt>
            <dd>{settings.encrypted ? "Yes, with your passphrase" : "No"}</dd>
            <dt>Kept for</dt>
            <dd>{settings.keep_days === 1 ? "1 day" : `${settings.keep_days} days`}</dd>
            {settings.next_at && (
              <>
                <dt>Next copy</dt>
                <dd className={css.moment}>{moment(settings.next_at)}</dd>
              </>
            )}
          </dl>
          <div className={css.actions}>
            <Button variant="primary" busy={busy === "run" || isRunning} onClick={() => void during("run", run, "No copy was begun")}>
              {isRunning ? "Making a copy" : "Make a copy now"}
            </Button>
            <Button onClick={() => setDoing("restoring")}>Restore a copy</Button>
            <Button onClick={() => setDoing("changing")}>Change</Button>
            <Button variant="quietDanger" onClick={() => setDoing("leaving")}>
              Switch off
            </Button>
          </div>
        </>
      )}
      {runs.length > 0 && (
        <ul role="list" aria-label="Last copies" className={css.runs}>
          {runs.slice(0, all ? undefined : shownRuns).map((one) => (
            <Run key={one.id} run={one} />
          ))}
        </ul>
      )}
      {runs.length > shownRuns && !all && (
        <Button variant="quiet" size="small" onClick={() => setAll(true)}>
          Show all {runs.length}
        </Button>
      )}
      {settings && runs.length === 0 && <p className={css.note}>No copy has been made yet.</p>}
      <Suspense>
        {doing === "leaving" && (
          <ConfirmDialog
            title="Switch the backup off?"
            confirm="Switch off"
            danger
            busy={busy === "remove"}
            onConfirm={() => void during("remove", remove, "The backup was not switched off")}
            onClose={() => setDoing(undefined)}
          >
            No more copies are made, and the key and the passphrase are forgotten. The copies in your bucket stay there.
          </ConfirmDialog>
        )}
        {doing === "restoring" && <RestoreDialog workspaceId={workspaceId} onClose={() => setDoing(undefined)} />}
      </Suspense>
    </>
  );
}

function Run({ run }: { run: BackupRun }) {
  return (
    <li>
      <span className={css.moment}>{moment(run.started_at)}</span>
      <span className={css.what}>{run.problem ?? contentWords(run)}</span>
      {run.state === "done" ? (
        <StateWord word="Made" icon="check-circle" tone="ok" />
      ) : run.state === "failed" ? (
        <StateWord word="Failed" icon="exclamation-triangle" tone="danger" />
      ) : (
        <StateWord word="Under way" icon="clock" tone="muted" />
      )}
    </li>
  );
}

/** While a copy is made somebody may be looking. */
const whileRunningMs = 2_000;

const isRunning = (backup: Backup | undefined) => backup?.runs[0]?.state === "running";

/** Where a workspace's copies go and what became of them, and what can be done about it. What writes throws an ApiError. Null: nothing is asked. */
function useBackup(workspaceId: string) {
  const params = { workspaceId };
  const { data, error, mutate } = useCall(
    backupEndpoints.get,
    { params },
    { refreshInterval: (latest) => (isRunning(latest) ? whileRunningMs : 0) },
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
