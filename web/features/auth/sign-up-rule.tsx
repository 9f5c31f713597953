import { type SignUpOffer, signUpRefusals } from "#contract/auth.ts";
import { errorCatalogue } from "#contract/errors.ts";
import { Text } from "../../ui/layout.tsx";

/** Sign-up restriction; hidden if open. */
export function SignUpRule({ offer: { mode, domains } }: { offer: SignUpOffer }) {
  if (mode === "open") return null;
  const list = new Intl.ListFormat("en", { type: "disjunction" }).format(domains);
  return (
    <Text tone="muted" style={{ marginBottom: "var(--space-4)" }}>
      {mode === "domains" ? `Sign up with an email address at ${list}.` : errorCatalogue[signUpRefusals[mode]].sentence}
    </Text>
  );
}
