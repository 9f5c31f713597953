import { useState } from "react";
import { Button } from "../../../components/button.tsx";
import { Section } from "../../../components/section.tsx";
import { toasts } from "../../../lib/toasts.ts";
import { signOutElsewhere } from "../api/account.ts";

/** Ends this session, or all the others. */
export function SessionsSection({ onSignOut }: { onSignOut: () => void }) {
  const [busy, setBusy] = useState(false);
  async function elsewhere() {
    setBusy(true);
    try {
      await signOutElsewhere();
      toasts.success("Signed out everywhere else", "Other devices have to sign in again.");
    } catch (error) {
      toasts.error("Sign out failed", error instanceof Error ? error.message : undefined);
    } finally {
      setBusy(false);
    }
  }
  return (
    <Section title="Sessions" text="Lost a device, or used somebody else's? End its session from here.">
      <Button busy={busy} onClick={() => void elsewhere()}>
        Sign out everywhere else
      </Button>
      <Button variant="quiet" icon="sign-out" onClick={onSignOut}>
        Sign out here
      </Button>
    </Section>
  );
}
