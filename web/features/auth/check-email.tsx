import { ButtonLink } from "../../components/button.tsx";
import css from "./auth-form.module.css";

/** After signing up; the same whether the address was known or not. */
export function CheckEmail({ email, signInTo }: { email: string; signInTo: string }) {
  return (
    <div className={css.confirmation}>
      <p>
        We've sent a confirmation link to <strong>{email}</strong>
      </p>
      <ButtonLink to={signInTo} state={{ email }} variant="primary" wide>
        Sign In
      </ButtonLink>
      <p className={css.note}>Didn't receive the email? Check your spam folder or try again.</p>
    </div>
  );
}
