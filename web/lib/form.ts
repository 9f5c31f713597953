import { FORM_ERROR } from "final-form";
import type { z } from "zod";
import { ApiError } from "./api-client.ts";

/** What final-form takes back from a validation or a refused submit: sentences by field, or one for the whole form. */
export type FormErrors = Record<string, string>;

/** final-form's `validate` from a contract schema: the first sentence of each field. */
export function validateWith(schema: z.ZodType): (values: object) => FormErrors {
  return (values) => {
    const result = schema.safeParse(values);
    if (result.success) return {};
    const errors: FormErrors = {};
    for (const issue of result.error.issues) errors[String(issue.path[0])] ??= issue.message;
    return errors;
  };
}

/**
 * A refused call as final-form's submit errors: sentences at the fields the form has, else the sentence for the whole form.
 * `fallback` is said for anything that is not an ApiError.
 */
export function submitErrors(error: unknown, formFields: readonly string[], fallback: string): FormErrors {
  if (!(error instanceof ApiError)) return { [FORM_ERROR]: fallback };
  const atFields = Object.entries(error.fields).filter(([name]) => formFields.includes(name));
  return atFields.length > 0 ? Object.fromEntries(atFields) : { [FORM_ERROR]: error.message };
}
