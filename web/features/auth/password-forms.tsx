import { memo, useLayoutEffect, useRef, type ReactNode } from "react";
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

/** auth-ui-react's form for the address that a link is sent to. */
export const ForgottenPasswordForm = memo(function ForgottenPasswordForm({ client }: { client: SupabaseClient }) {
  return (
    <Completed autoComplete="username">
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
  children: ReactNode;
}

/** Adds what auth-ui-react's fields lack: what they are for, for password managers, and what describes them; our sentences instead of the browser's. */
function Completed({ autoComplete, describedBy, children }: CompletedProps) {
  const holder = useRef<HTMLDivElement>(null);
  useLayoutEffect(() => {
    const form = holder.current?.querySelector("form");
    const field = form?.querySelector("input");
    if (!form || !field) return;
    form.noValidate = true;
    field.autocomplete = autoComplete;
    field.ariaRequired = "true";
    if (describedBy) field.setAttribute("aria-describedby", describedBy);
  }, [autoComplete, describedBy]);
  return <div ref={holder}>{children}</div>;
}
