import { memo, useLayoutEffect, useRef, type ReactNode } from "react";
import { useLocation } from "react-router-dom";
import { ForgottenPassword, UpdatePassword } from "@supabase/auth-ui-react";
import type { SupabaseClient } from "@supabase/supabase-js";
import { formAppearance } from "./auth-ui-appearance.ts";

const words = {
  variables: {
    forgotten_password: {
      email_label: "Email",
      email_input_placeholder: "",
      button_label: "Send the link",
      loading_button_label: "Sending…",
      confirmation_text: "",
    },
    update_password: {
      password_label: "New password",
      password_input_placeholder: "",
      button_label: "Change the password",
      loading_button_label: "Changing…",
      confirmation_text: "",
    },
  },
};

/** Kept with the history entry: the address that was typed where the password was asked for. */
export interface ForgottenState {
  email?: string;
}

/** auth-ui-react's form for the address that a link is sent to. Begins with the one that was typed already. */
export const ForgottenPasswordForm = memo(function ForgottenPasswordForm({ client }: { client: SupabaseClient }) {
  const { email } = (useLocation().state ?? {}) as ForgottenState;
  return (
    <Completed autoComplete="username" value={email}>
      <ForgottenPassword supabaseClient={client} appearance={formAppearance} localization={words} />
    </Completed>
  );
});

/** auth-ui-react's form for a new password. `hintId`: the element that says what it must be like. */
export const UpdatePasswordForm = memo(function UpdatePasswordForm({ client, hintId }: { client: SupabaseClient; hintId: string }) {
  return (
    <Completed autoComplete="new-password" describedBy={hintId}>
      <UpdatePassword supabaseClient={client} appearance={formAppearance} localization={words} />
    </Completed>
  );
});

/** The id that UpdatePassword gives its form. */
export const updatePasswordFormId = "auth-update-password";

interface CompletedProps {
  autoComplete: AutoFill;
  describedBy?: string;
  /** What the field begins with. */
  value?: string;
  children: ReactNode;
}

/** Adds what auth-ui-react's fields lack: what they are for, for password managers, and what describes them; what they begin with; our sentences instead of the browser's. */
function Completed({ autoComplete, describedBy, value, children }: CompletedProps) {
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
    field.dispatchEvent(new Event("input", { bubbles: true })); // the form reads it as it reads what is typed
  }, [autoComplete, describedBy, value]);
  return <div ref={holder}>{children}</div>;
}
