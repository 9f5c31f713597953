import { FORM_ERROR } from "final-form";
import type { z } from "zod";
import { ApiError } from "./api-client.ts";

export type FormErrors = Record<string, string>;

/** final-form's `validate` from a contract schema: each field's first message. */
export function validateWith(schema: z.ZodType): (values: object) => FormErrors {
  return (values) => {
    const result = schema.safeParse(values);
    if (result.success) return {};
    const errors: FormErrors = {};
    for (const issue of result.error.issues) errors[String(issue.path[0])] ??= issue.message;
    return errors;
  };
}

/** Submit errors of a failed call: by field where the form has it, else for the form. `fallback` is for other errors. */
export function submitErrors(error: unknown, formFields: readonly string[], fallback: string): FormErrors {
  if (!(error instanceof ApiError)) return { [FORM_ERROR]: fallback };
  const atFields = Object.entries(error.fields).filter(([name]) => formFields.includes(name));
  return atFields.length > 0 ? Object.fromEntries(atFields) : { [FORM_ERROR]: error.message };
}
