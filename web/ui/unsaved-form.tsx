import { useFormState } from "react-final-form";
import { UnsavedGuard } from "./unsaved-guard.tsx";

/** Asks before leaving while the form around it has changes. */
export function UnsavedForm() {
  const { dirty, submitting } = useFormState({ subscription: { dirty: true, submitting: true } });
  return dirty && !submitting ? <UnsavedGuard /> : null;
}
