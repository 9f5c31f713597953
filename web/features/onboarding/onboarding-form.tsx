import type { FormApi } from "final-form";
import { useEffect, useRef, type ReactNode, type SyntheticEvent } from "react";
import { useForm, useFormState } from "react-final-form";
import { createWorkspaceInput } from "#contract/workspaces.ts";
import { Button } from "../../ui/button.tsx";
import { FormError } from "../../ui/form-error.tsx";
import type { Pictures } from "./picture-store.ts";
import { keepDraft } from "./draft.ts";
import type { Step } from "./use-steps.ts";
import { useSubdomainCheck } from "./use-subdomain-check.ts";
import { CompanyStep, PersonStep, StepFrame } from "./steps.tsx";
import { classNames } from "../../lib/class-names.ts";
import { Note, Row, Text } from "../../ui/layout.tsx";
import css from "./onboarding.module.css";

export type Values = Partial<Record<RequiredField, string>>;

interface OnboardingFormProps {
  draftKey: string;
  step: Step;
  moving: "in" | "out" | undefined;
  go: (step: Step) => Promise<void>;
  pictures: Pictures;
  onPicture: (name: keyof Pictures, file: File | undefined) => void;
  /** Error of the last attempt without a field. */
  problem: string | undefined;
  /** True to open the import page afterwards. */
  onMoveIn: (moveIn: boolean) => void;
  onSubmit: (event: SyntheticEvent) => void;
}

/** One form for all steps, so input is kept. */
export function OnboardingForm({ draftKey, step, moving, go, pictures, onPicture, problem, onMoveIn, onSubmit }: OnboardingFormProps) {
  const form = useForm<Values>();
  const { values, invalid } = useFormState<Values>({ subscription: { values: true, invalid: true } });
  const check = useSubdomainCheck(values.subdomain ?? "");
  const frame = useRef<HTMLFormElement>(null);
  useEffect(() => {
    if (step !== 3) keepDraft({ step, values, pictures: draftKey });
  }, [step, values, draftKey]);

  function next() {
    const wrong = showProblems(form) || check.state === "refused";
    if (wrong) requestAnimationFrame(() => frame.current?.querySelector<HTMLElement>("[aria-invalid=true]")?.focus());
    else void go(2);
  }
  const blocked = moving !== undefined;

  return (
    <form
      ref={frame}
      className={css.form}
      noValidate
      onSubmit={(event) => {
        event.preventDefault();
        if (blocked) return;
        if (step === 1) next();
        else onSubmit(event);
      }}
    >
      <ProgressBar percent={step === 3 ? null : progress(values)} />
      {step === 1 && (
        <StepFrame title="Tell us about your company" moving={moving}>
          {problem && <FormError message={problem} />}
          <CompanyStep check={check} logo={pictures.logo} onLogo={(file) => onPicture("logo", file)} />
          <Buttons>
            <Button type="submit" variant="primary" disabled={blocked}>
              Next
            </Button>
          </Buttons>
        </StepFrame>
      )}
      {step === 2 && (
        <StepFrame title="It's all about you..." moving={moving}>
          {problem && <FormError message={problem} />}
          <PersonStep avatar={pictures.avatar} onAvatar={(file) => onPicture("avatar", file)} />
          <Text tone="muted">
            Coming from another product?{" "}
            <Button
              variant="quiet"
              size="small"
              disabled={blocked || invalid}
              onClick={({ currentTarget }) => {
                onMoveIn(true);
                currentTarget.form?.requestSubmit();
              }}
            >
              Import your posts
            </Button>
          </Text>
          <Buttons>
            <Button disabled={blocked} onClick={() => void go(1)}>
              Previous
            </Button>
            {invalid && (
              <Note as="span" className={css.missing}>
                Please fill in all required fields
              </Note>
            )}
            <Button type="submit" variant="primary" disabled={blocked || invalid} onClick={() => onMoveIn(false)}>
              Complete
            </Button>
          </Buttons>
        </StepFrame>
      )}
      {step === 3 && (
        <StepFrame title="Setting up your workspace" moving={moving}>
          <Text role="status" tone="muted">
            This takes a moment. {values.name} opens as soon as it's ready.
          </Text>
        </StepFrame>
      )}
    </form>
  );
}

function Buttons({ children }: { children: ReactNode }) {
  return (
    <Row gap={3} className={css.buttons}>
      {children}
    </Row>
  );
}

/** Shows the company fields' errors; true if there are any. */
function showProblems(form: FormApi<Values>): boolean {
  form.batch(() => {
    for (const field of companyFields) {
      form.change(field, form.getState().values[field] ?? "");
      form.blur(field);
    }
  });
  const errors = form.getState().errors ?? {};
  return companyFields.some((field) => field in errors);
}

const companyFields = ["name", "subdomain", "origin"] as const;
const requiredFields = [...companyFields, "jobTitle"] as const;
type RequiredField = (typeof requiredFields)[number];

/** Share of valid required fields in percent. Source: specification, section 4. */
function progress(values: Partial<Record<RequiredField, string>>): number {
  const valid = requiredFields.filter((field) => createWorkspaceInput.shape[field].safeParse(values[field]).success);
  return (valid.length / requiredFields.length) * 100;
}

/** Null while the workspace is being created. */
function ProgressBar({ percent }: { percent: number | null }) {
  return (
    <div
      className={css.track}
      role="progressbar"
      aria-label="Onboarding progress"
      aria-valuemin={0}
      aria-valuemax={100}
      aria-valuenow={percent ?? undefined}
    >
      <div
        className={classNames(css.bar, percent === null && css.indeterminate)}
        style={percent === null ? undefined : { width: `${percent}%` }}
      />
    </div>
  );
}
