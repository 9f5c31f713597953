import { memo, useLayoutEffect, useRef, type ReactNode } from "react";
import { useLocation } from "react-router-dom";
import { ForgottenPassword, UpdatePassword } from "@supabase/auth-ui-react";
import type { SupabaseClient } from "@supabase/supabase-js";
import { formAppearance } from "./auth-ui-appearance.ts";

const localization = {
  variables: {
    forgotten_password: {
      email_label: "Email",
      email_input_placeholder: "",
      button_label: "Send link",
      loading_button_label: "Sending…",
      confirmation_text: "",
    },
    update_password: {
      password_label: "New password",
      password_input_placeholder: "",
      button_label: "Change password",
      loading_button_label: "Changing…",
      confirmation_text: "",
    },
  },
};

/** History state: the email already typed at sign-in. */
export interface ForgottenState {
  email?: string;
}

/** auth-ui-react's form, prefilled with the typed email. */
export const ForgottenPasswordForm = memo(function ForgottenPasswordForm({ client }: { client: SupabaseClient }) {
  const { email } = (useLocation().state ?? {}) as ForgottenState;
  return (
    <FieldAttributes autoComplete="username" value={email}>
      <ForgottenPassword supabaseClient={client} appearance={formAppearance} localization={localization} />
    </FieldAttributes>
  );
});

/** auth-ui-react's form. `hintId`: element with the password rules. */
export const UpdatePasswordForm = memo(function UpdatePasswordForm({ client, hintId }: { client: SupabaseClient; hintId: string }) {
  return (
    <FieldAttributes autoComplete="new-password" describedBy={hintId}>
      <UpdatePassword supabaseClient={client} appearance={formAppearance} localization={localization} />
    </FieldAttributes>
  );
});

/** Form id set by UpdatePassword. */
export const updatePasswordFormId = "auth-update-password";

interface FieldAttributesProps {
  autoComplete: AutoFill;
  describedBy?: string;
  /** Initial value. */
  value?: string;
  children: ReactNode;
}

/** Adds attributes auth-ui-react's field lacks: autocomplete, description, initial value. */
function FieldAttributes({ autoComplete, describedBy, value, children }: FieldAttributesProps) {
  const holder = useRef<HTMLDivElement>(null);
  useLayoutEffect(() => {
    const form = holder.current?.querySelector("form");
    const field = form?.querySelector("input");
    if (!form || !field) return;
    form.noValidate = true;
    field.autocomplete = autoComplete;
    field.ariaRequired = "true";
    if (describedBy) field.setAttribute("aria-describedby", describedBy);
    if (!value || field.value !== "") return;
    field.defaultValue = value;
    field.dispatchEvent(new Event("input", { bubbles: true })); // React reads it like typed input
  }, [autoComplete, describedBy, value]);
  return <div ref={holder}>{children}</div>;
}
