import { type SignUpOffer, signUpRefusals } from "#contract/auth.ts";
import { errorCatalogue } from "#contract/errors.ts";
import css from "./auth-form.module.css";

/** Sign-up restriction; hidden if open. */
export function SignUpRule({ offer: { mode, domains } }: { offer: SignUpOffer }) {
  if (mode === "open") return null;
  const list = new Intl.ListFormat("en", { type: "disjunction" }).format(domains);
  return (
    <p className={css.rule}>
      {mode === "domains" ? `Sign up with an email address at ${list}.` : errorCatalogue[signUpRefusals[mode]].sentence}
    </p>
  );
}
