import { FORM_ERROR } from "final-form";
import { useEffect, useRef, type ReactNode, type SyntheticEvent } from "react";
import { Form, useFormState } from "react-final-form";
import type { z } from "zod";
import { submitErrors, validateWith } from "../lib/form.ts";
import { Button, type ButtonProps } from "./button.tsx";
import { FormError } from "./form-error.tsx";
import { Stack } from "./layout.tsx";

interface ContractFormProps<Schema extends z.ZodObject> {
  schema: Schema;
  initialValues?: Partial<z.input<Schema>>;
  failure: string;
  id?: string;
  onSubmit: (values: z.output<Schema>) => Promise<void>;
  children: ReactNode;
}

export function ContractForm<Schema extends z.ZodObject>({
  schema,
  initialValues,
  failure,
  id,
  onSubmit,
  children,
}: ContractFormProps<Schema>) {
  async function submit(values: object) {
    try {
      await onSubmit(schema.parse(values));
    } catch (error) {
      return submitErrors(error, Object.keys(schema.shape), failure);
    }
  }
  return (
    <Form onSubmit={submit} validate={validateWith(schema)} initialValues={initialValues as object} keepDirtyOnReinitialize>
      {({ handleSubmit, submitting, submitFailed, submitErrors, modifiedSinceLastSubmit }) => (
        <FocusedForm id={id} onSubmit={handleSubmit} failed={Boolean(submitFailed && !submitting && !modifiedSinceLastSubmit)}>
          {submitErrors?.[FORM_ERROR] && !submitting && <FormError message={String(submitErrors[FORM_ERROR])} />}
          {children}
        </FocusedForm>
      )}
    </Form>
  );
}

function FocusedForm({
  id,
  onSubmit,
  failed,
  children,
}: {
  id: string | undefined;
  onSubmit: (event: SyntheticEvent) => unknown;
  failed: boolean;
  children: ReactNode;
}) {
  const form = useRef<HTMLFormElement>(null);
  useEffect(() => {
    if (failed) form.current?.querySelector<HTMLElement>("[aria-invalid=true]")?.focus();
  }, [failed]);
  return (
    <Stack as="form" ref={form} id={id} noValidate onSubmit={(event) => void onSubmit(event)}>
      {children}
    </Stack>
  );
}

export function SubmitButton({ disabled, ...button }: Omit<ButtonProps, "type" | "busy">) {
  const { submitting } = useFormState({ subscription: { submitting: true } });
  return <Button style={{ justifySelf: "start" }} {...button} type="submit" busy={submitting} disabled={disabled && !submitting} />;
}
