import { Suspense, useState } from "react";
import type { z } from "zod";
import { type Backup, backupEndpoints, type backupInput, type BackupRun } from "#contract/backups.ts";
import type { Workspace } from "#contract/workspaces.ts";
import { Button, ButtonLink } from "../../ui/button.tsx";
import { Facts } from "../../ui/facts.tsx";
import { List, Row, Text } from "../../ui/layout.tsx";
import { lazyPart } from "../../ui/lazy-part.tsx";
import { ListLoading } from "../../ui/list-loading.tsx";
import { Section } from "../../ui/section.tsx";
import { StatusLabel } from "../../ui/status-label.tsx";
import { call } from "../../lib/api-client.ts";
import { moment } from "../../lib/moment.ts";
import { paths } from "../../lib/paths.ts";
import { useAction } from "../../lib/use-action.ts";
import { useCall, type Write } from "../../lib/use-call.ts";
import { useHasAddOn } from "../add-ons/use-add-ons.ts";
import { formatContent } from "./backup-labels.ts";
import { BackupForm } from "./backup-form.tsx";

const ConfirmAction = lazyPart(() => import("../../ui/confirm-dialog.tsx"), "ConfirmAction");
const RestoreDialog = lazyPart(() => import("./restore-dialog.tsx"), "RestoreDialog");

const shownRuns = 5;

/** For the owner. */
export function BackupSection({ workspace }: { workspace: Workspace }) {
  const hasAddOn = useHasAddOn(workspace.id, "backup");
  return (
    <Section title="Backup" text="Back up everything, including images, to your own bucket every day.">
      {hasAddOn !== false ? (
        <Settings workspaceId={workspace.id} hasAddOn={hasAddOn} />
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

/** Polling interval during a backup. */
const pollMs = 2_000;

const isRunning = (backup: Backup | undefined) => backup?.runs[0]?.state === "running";

/** Reads nothing until the add-on is known. */
function Settings({ workspaceId, hasAddOn }: { workspaceId: string; hasAddOn: boolean | undefined }) {
  const { data, error, mutate, write } = useCall(backupEndpoints.get, hasAddOn ? { params: { workspaceId } } : null, {
    refreshInterval: (latest) => (isRunning(latest) ? pollMs : 0),
  });
  const save = async (body: z.input<typeof backupInput>) => {
    await mutate(await call(backupEndpoints.put, { params: { workspaceId }, body }), { revalidate: false });
  };
  if (data) return <Loaded workspaceId={workspaceId} backup={data} save={save} write={write} />;
  return <ListLoading label="backup settings" error={error} rows={2} onRetry={() => void mutate()} />;
}

interface LoadedProps {
  workspaceId: string;
  backup: Backup;
  save: (body: z.input<typeof backupInput>) => Promise<void>;
  write: Write;
}

function Loaded({ workspaceId, backup, save, write }: LoadedProps) {
  const { settings, runs } = backup;
  const params = { workspaceId };
  const [activity, setActivity] = useState<"changing" | "leaving" | "restoring">();
  const { running, run } = useAction();
  const [showAll, setShowAll] = useState(false);

  return (
    <>
      {settings === null || activity === "changing" ? (
        <BackupForm settings={settings} save={save} onClose={settings ? () => setActivity(undefined) : undefined} />
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
              busy={running !== undefined || isRunning(backup)}
              onClick={() => void run("backup", "Couldn't start a backup", () => write(backupEndpoints.run, { params }))}
            >
              {isRunning(backup) ? "Backing up…" : "Back up now"}
            </Button>
            <Button onClick={() => setActivity("restoring")}>Restore backup</Button>
            <Button onClick={() => setActivity("changing")}>Edit</Button>
            <Button variant="quietDanger" onClick={() => setActivity("leaving")}>
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
        <Button variant="quiet" size="small" onClick={() => setShowAll(true)}>
          Show all {runs.length}
        </Button>
      )}
      {settings && runs.length === 0 && <Text tone="muted">Your backups will appear here.</Text>}
      <Suspense>
        {activity === "leaving" && (
          <ConfirmAction
            title="Turn off backups?"
            confirm="Turn off"
            danger
            failure="Couldn't turn off backups"
            act={() => write(backupEndpoints.remove, { params })}
            onClose={() => setActivity(undefined)}
          >
            We'll stop making backups and delete the access key and passphrase. Existing backups stay in your bucket.
          </ConfirmAction>
        )}
        {activity === "restoring" && <RestoreDialog workspaceId={workspaceId} onClose={() => setActivity(undefined)} />}
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
