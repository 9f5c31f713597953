import { useLayoutEffect, useState } from "react";
import { type FieldMetaState, useField, useForm } from "react-final-form";

/** useField that keeps its value on remount and accepts input from the first paint: react-final-form 7 registers late and resets to the initial value. */
export const useFormField: typeof useField = (name, config) => {
  const form = useForm();
  useLayoutEffect(() => form.registerField(name, () => undefined, {}, { silent: true }), [form, name]);
  const [, setThere] = useState(false);
  useLayoutEffect(() => setThere(true), []); // state change: makes React flush useField's passive effects in this commit
  return useField(name, config);
};

/** No error on an untouched empty field: it would move the link the user is heading for. */
export function fieldMessage({
  touched,
  modified,
  submitFailed,
  error,
  submitError,
  dirtySinceLastSubmit,
}: FieldMetaState<string>): string | undefined {
  if (touched && (modified || submitFailed) && error) return String(error);
  return submitError && !dirtySinceLastSubmit ? String(submitError) : undefined;
}
