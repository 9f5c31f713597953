import { useEffect, useRef, useState } from "react";
import { pageLoadingMs } from "../lib/timings.ts";
import { Link } from "react-router-dom";
import type { Workspace } from "#contract/workspaces.ts";
import { Button } from "../ui/button.tsx";
import { Failure } from "../ui/empty-state.tsx";
import { PageTitle } from "../ui/page-title.tsx";
import { UnsavedGuard } from "../ui/unsaved-guard.tsx";
import { InstallCard } from "../features/widget-settings/install-card.tsx";
import { Preview } from "../features/widget-settings/preview.tsx";
import { SiteCheck } from "../features/widget-settings/site-check.tsx";
import { SettingsForm } from "../features/widget-settings/settings-form.tsx";
import { WidgetSkeleton } from "../features/widget-settings/widget-skeleton.tsx";
import { useElapsed } from "../features/widget-settings/use-elapsed.ts";
import { useWidgetForm } from "../features/widget-settings/use-widget-form.ts";
import { OriginsSection } from "../features/workspace-settings/origins-section.tsx";
import { useCurrentWorkspace } from "../features/workspaces/current-workspace.tsx";
import { paths } from "../lib/paths.ts";
import { toasts } from "../lib/toasts.ts";
import { Grid, Note, Stack } from "../ui/layout.tsx";
import css from "./form-page.module.css";

/** Widget settings. Owners and admins change them (product decision 2). */
export function Component() {
  const { workspace, role } = useCurrentWorkspace();
  return <Widget key={workspace.id} workspace={workspace} canSave={role === "owner" || role === "admin"} />;
}

const advice = "Please try refreshing the page or contact support if the problem persists.";

function Widget({ workspace, canSave }: { workspace: Workspace; canSave: boolean }) {
  const { form, error, reload, saving, dirty, problem, change, save } = useWidgetForm(workspace.id);
  const waited = useElapsed(pageLoadingMs);
  const page = useRef<HTMLDivElement>(null);
  const [leaving, setLeaving] = useState(false);
  const guarded = dirty || leaving;
  const loadError = form ? undefined : error;
  useEffect(() => {
    if (loadError && loadError.code !== "unauthenticated") toasts.error("Failed to load widget settings", advice);
  }, [loadError]);

  async function trySave(): Promise<boolean> {
    if (problem === undefined) return save();
    page.current?.querySelector<HTMLElement>("[aria-invalid=true]")?.focus();
    return false;
  }
  async function saveAndLeave(): Promise<boolean> {
    setLeaving(true);
    const saved = await trySave();
    if (!saved) setLeaving(false);
    return saved;
  }

  return (
    <Stack ref={page} className={css.page}>
      <PageTitle
        title="Widget"
        subtitle="Pesonalise your widget"
        context={workspace.name}
        action={
          canSave &&
          form && (
            <Button variant="primary" icon="save" className={css.save} busy={saving} disabled={!dirty} onClick={() => void trySave()}>
              {saving ? "Saving..." : "Save Changes"}
            </Button>
          )
        }
      />
      {error && !form ? (
        <Failure title="Failed to load widget settings" text={error.message} onRetry={() => void reload()} />
      ) : !form || !waited ? (
        <WidgetSkeleton />
      ) : (
        <>
          <Grid min="20rem" gap={8}>
            <Stack>
              <InstallCard workspace={workspace} />
              {canSave && <SiteCheck workspace={workspace} />}
            </Stack>
            {canSave && <OriginsSection workspace={workspace} />}
          </Grid>
          <div className={css.columns}>
            <div>
              <SettingsForm form={form} problem={problem} disabled={!canSave} change={change} />
            </div>
            <Preview form={form} workspace={workspace}>
              <Note>
                Colour, language and default font are set in <Link to={paths.appearance(workspace.id)}>Appearance</Link>.
              </Note>
            </Preview>
          </div>
        </>
      )}
      {guarded && <UnsavedGuard onSave={saveAndLeave} />}
    </Stack>
  );
}
