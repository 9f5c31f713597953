import { useHref, useLocation } from "react-router-dom";
import { ButtonLink } from "../../../components/button.tsx";
import css from "./auth-form.module.css";

/** Signing in by Google: a plain link, the server redirects to the provider and back to `next`. */
export function ProviderButtons() {
  const { pathname, search } = useLocation();
  const here = useHref(`${pathname}${search}`);
  return (
    <div className={css.providers}>
      <ButtonLink to={`/api/auth/login/oauth?${new URLSearchParams({ next: here })}`} reloadDocument wide>
        <svg viewBox="0 0 24 24" className={css.brand} aria-hidden="true">
          <path fill="#4285f4" d="M23 12.2c0-.8-.1-1.6-.2-2.3H12v4.4h6.2a5.3 5.3 0 0 1-2.3 3.5v2.9h3.7c2.2-2 3.4-5 3.4-8.5z" />
          <path
            fill="#34a853"
            d="M12 23.4c3.1 0 5.7-1 7.6-2.8l-3.7-2.9c-1 .7-2.3 1.1-3.9 1.1-3 0-5.5-2-6.4-4.7H1.8v3c1.9 3.7 5.7 6.3 10.2 6.3z"
          />
          <path fill="#fbbc05" d="M5.6 14.1a6.9 6.9 0 0 1 0-4.3v-3H1.8a11.4 11.4 0 0 0 0 10.3z" />
          <path fill="#ea4335" d="M12 5.1c1.7 0 3.2.6 4.4 1.7l3.3-3.3A11.4 11.4 0 0 0 1.8 6.9l3.8 3C6.5 7.1 9 5.1 12 5.1z" />
        </svg>
        Continue with Google
      </ButtonLink>
      <span className={css.or}>or</span>
    </div>
  );
}
