import { useRef, useState, type RefObject } from "react";
import { Form } from "react-final-form";
import { useNavigate } from "react-router-dom";
import { useSWRConfig } from "swr";
import { createWorkspaceInput, workspaceEndpoints, type CreateWorkspaceInput } from "#contract/workspaces.ts";
import { paths } from "../lib/paths.ts";
import { Button } from "../ui/button.tsx";
import { Logo } from "../ui/logo.tsx";
import { createWorkspace, uploadPictures } from "../features/onboarding/create-workspace.ts";
import { OnboardingForm, type Values } from "../features/onboarding/onboarding-form.tsx";
import { dropDraft, readDraft, type Draft } from "../features/onboarding/draft.ts";
import { dropPictures, usePictures } from "../features/onboarding/picture-store.ts";
import { suggestSubdomain } from "../features/onboarding/suggest-subdomain.ts";
import { useSteps } from "../features/onboarding/use-steps.ts";
import { profileKey, useProfile } from "../features/account/profile.ts";
import { useSignOut } from "../features/account/use-sign-out.ts";
import { BackToWorkspace } from "../features/workspaces/back-to-workspace.tsx";
import { ApiError } from "../lib/api-client.ts";
import { validateWith } from "../lib/form.ts";
import { latestRequest } from "../lib/stored-request.ts";
import { toasts } from "../lib/toasts.ts";
import { Masthead, Page } from "../ui/page.tsx";
import css from "./pages.module.css";

/** Source: specification, sections 2, 4 and 5. */
export function Component() {
  const profile = useProfile().data;
  const [draft] = useState(() => readDraft() ?? newDraft(profile?.company_name, profile?.job_title));
  const signOut = useSignOut();
  const { pictures, choose } = usePictures(draft.pictures);
  const { step, moving, go } = useSteps(draft.step);
  const importNext = useRef(false);
  const { complete, problem } = useComplete(go, draft.pictures, pictures, importNext);

  return (
    <>
      <Masthead>
        <Logo />
        <BackToWorkspace />
        <Button variant="quiet" icon="sign-out" onClick={() => signOut()}>
          Sign out
        </Button>
      </Masthead>
      <Page width="34rem" className={css.onboarding}>
        <Form<Values> onSubmit={(values) => complete(createWorkspaceInput.parse(values))} validate={validate} initialValues={draft.values}>
          {({ handleSubmit }) => (
            <OnboardingForm
              draftKey={draft.pictures}
              step={step}
              moving={moving}
              go={go}
              pictures={pictures}
              onPicture={choose}
              problem={problem}
              onMoveIn={(chosen) => (importNext.current = chosen)}
              onSubmit={(event) => void handleSubmit(event)}
            />
          )}
        </Form>
      </Page>
    </>
  );
}

const validate = validateWith(createWorkspaceInput);

/** Prefills from the profile, since the next workspace would overwrite the job title. */
const newDraft = (company?: string | null, jobTitle?: string | null): Draft => ({
  step: 1,
  values: { ...(company && { name: company, subdomain: suggestSubdomain(company) }), ...(jobTitle && { jobTitle }) },
  pictures: crypto.randomUUID(),
});

/** Creates the workspace, then uploads its images. An error returns to its step with all input kept. */
function useComplete(
  go: ReturnType<typeof useSteps>["go"],
  draftKey: string,
  pictures: Parameters<typeof uploadPictures>[1],
  importNext: RefObject<boolean>,
) {
  const navigate = useNavigate();
  const { mutate } = useSWRConfig();
  const [problem, setProblem] = useState<string>();

  async function complete(input: CreateWorkspaceInput) {
    setProblem(undefined);
    const [creation] = await Promise.allSettled([createWorkspace(draftKey, input), go(3)]);
    if (creation.status === "rejected") {
      const { step, fields, sentence } = errorStep(creation.reason);
      setProblem(sentence);
      void go(step);
      return fields;
    }
    const { id } = creation.value;
    for (const sentence of await uploadPictures(id, pictures)) toasts.error("Your workspace is ready", sentence);
    dropDraft();
    void dropPictures(draftKey);
    await Promise.all([mutate(workspaceEndpoints.list.path), mutate(profileKey)]);
    await navigate(importNext.current ? paths.importPosts(id) : (latestRequest() ?? paths.dashboard(id)), { replace: true });
  }
  return { complete, problem };
}

/** Shows an error at its fields, or on the step the user was on. */
function errorStep(error: unknown): { step: 1 | 2; fields: Record<string, string>; sentence?: string } {
  if (!(error instanceof ApiError)) return { step: 2, fields: {}, sentence: "Couldn't create the workspace. Please try again." };
  const aboutSubdomain = error.code === "subdomain_taken" || error.code === "subdomain_reserved";
  const fields = aboutSubdomain ? { subdomain: error.message } : error.fields;
  if (Object.keys(fields).length === 0) return { step: 2, fields: {}, sentence: error.message };
  return { step: "jobTitle" in fields ? 2 : 1, fields };
}
