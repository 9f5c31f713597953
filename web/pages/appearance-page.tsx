import { FORM_ERROR } from "final-form";
import { useEffect, useMemo, useRef, useState } from "react";
import { Form, type FormRenderProps } from "react-final-form";
import type { Appearance } from "#contract/appearance.ts";
import type { Workspace } from "#contract/workspaces.ts";
import { Button } from "../ui/button.tsx";
import { Failure } from "../ui/empty-state.tsx";
import { FormError } from "../ui/form-error.tsx";
import { PageTitle } from "../ui/page-title.tsx";
import { Loading, Skeleton } from "../ui/skeleton.tsx";
import { UnsavedGuard } from "../ui/unsaved-guard.tsx";
import { LookForm, WideLookForm } from "../features/appearance/look-form.tsx";
import { LookPreview } from "../features/appearance/look-preview.tsx";
import { type AppearanceState, useAppearance } from "../features/appearance/use-appearance.ts";
import {
  changesOf,
  errorsOf,
  groupErrors,
  type LookValues,
  readChoices,
  areSameLinks,
  toFormValues,
} from "../features/appearance/values.ts";
import { useCurrentWorkspace } from "../features/workspaces/current-workspace.tsx";
import { ApiError } from "../lib/api-client.ts";
import { toasts } from "../lib/toasts.ts";
import { Stack, Text } from "../ui/layout.tsx";
import css from "./form-page.module.css";

/** Look of page, widget and emails. All members see it, owners and admins change it. */
export function Component() {
  const { workspace, role } = useCurrentWorkspace();
  return <AppearancePage key={workspace.id} workspace={workspace} canSave={role === "owner" || role === "admin"} />;
}

const title = { title: "Appearance", subtitle: "How your page, widget and emails look" };

function AppearancePage({ workspace, canSave }: { workspace: Workspace; canSave: boolean }) {
  const appearance = useAppearance(workspace.id);
  const { look, error, reload } = appearance;
  if (look) return <Loaded {...{ workspace, canSave, appearance, look }} />;
  return (
    <Stack className={css.page}>
      <PageTitle {...title} context={workspace.name} />
      {error ? (
        <Failure title="Couldn't load the appearance" text={error.message} onRetry={() => void reload()} />
      ) : (
        <Loading label="Loading the appearance">
          <div className={css.columns}>
            <Skeleton height="30rem" />
            <Skeleton height="30rem" />
          </div>
        </Loading>
      )}
    </Stack>
  );
}

interface LoadedProps {
  workspace: Workspace;
  canSave: boolean;
  appearance: AppearanceState;
  look: Appearance;
}

function Loaded({ workspace, canSave, appearance, look }: LoadedProps) {
  const saved = useSavedValues(look);

  async function submit(values: LookValues, form: FormRenderProps<LookValues>["form"]) {
    try {
      const shown = toFormValues(await appearance.save(changesOf(values, saved)));
      toasts.success("Appearance saved", "Your page, widget and emails are up to date.");
      // Shows the server's version, unless it was edited meanwhile.
      for (const name of Object.keys(shown) as (keyof LookValues)[]) {
        const now = form.getFieldState(name)?.value;
        const isSame = name === "links" ? areSameLinks(now as LookValues["links"], values.links) : now === values[name];
        if (isSame) form.change(name, shown[name] as never);
      }
      return undefined;
    } catch (error) {
      if (!(error instanceof ApiError)) return { [FORM_ERROR]: "Couldn't save. Please try again later." };
      const sentences = Object.entries(error.fields);
      return sentences.length > 0 ? groupErrors(sentences) : { [FORM_ERROR]: error.message };
    }
  }

  return (
    <Form<LookValues> initialValues={saved} keepDirtyOnReinitialize onSubmit={submit} validate={errorsOf}>
      {(form) => <Shown {...{ form, workspace, canSave, appearance, look }} />}
    </Form>
  );
}

/** Saved form values, memoized by content. */
function useSavedValues(look: Appearance): LookValues {
  const { logo_url: _logo, logo_dark_url: _dark, favicon_url: _icon, ...choices } = look;
  const text = JSON.stringify(choices);
  // oxlint-disable-next-line react-hooks/exhaustive-deps -- the images aren't part of it
  return useMemo(() => toFormValues(look), [text]);
}

function Shown({ form, workspace, canSave, appearance, look }: { form: FormRenderProps<LookValues> } & LoadedProps) {
  const { handleSubmit, dirty, submitting, values, submitErrors, submitFailed, modifiedSinceLastSubmit } = form;
  const page = useRef<HTMLFormElement>(null);
  const [leaving, setLeaving] = useState(false);
  const failed = Boolean(submitFailed && !submitting && !modifiedSinceLastSubmit);
  useEffect(() => {
    if (failed) page.current?.querySelector<HTMLElement>("[aria-invalid=true]")?.focus();
  }, [failed]);

  async function saveAndLeave(): Promise<boolean> {
    setLeaving(true);
    const failed = form.form.getState().invalid || (await form.form.submit()) !== undefined;
    if (failed) {
      setLeaving(false);
      void handleSubmit(); // shows the field errors
    }
    return !failed;
  }

  return (
    <Stack as="form" ref={page} className={css.page} noValidate onSubmit={(event) => void handleSubmit(event)}>
      <PageTitle
        {...title}
        context={workspace.name}
        action={
          canSave && (
            <Button type="submit" variant="primary" icon="save" className={css.save} busy={submitting} disabled={!dirty}>
              {submitting ? "Saving..." : "Save changes"}
            </Button>
          )
        }
      />
      {submitErrors?.[FORM_ERROR] && !submitting && <FormError message={String(submitErrors[FORM_ERROR])} />}
      {!canSave && <Text tone="muted">Only owners and admins can change this.</Text>}
      <div className={css.columns}>
        <div>
          <LookForm workspace={workspace} locale={values.locale} disabled={!canSave} />
        </div>
        <LookPreview
          workspaceId={workspace.id}
          choices={readChoices(values)}
          pictures={[workspace.logo_url, look.logo_dark_url, look.favicon_url].join(" ")}
        />
      </div>
      <WideLookForm workspace={workspace} appearance={appearance} disabled={!canSave} />
      {(dirty || leaving) && <UnsavedGuard onSave={saveAndLeave} />}
    </Stack>
  );
}
