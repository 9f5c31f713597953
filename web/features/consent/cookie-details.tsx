import { useConfig } from "../../lib/config.ts";
import css from "./cookie-details.module.css";

/** What 'Learn more' says: which cookies there are, and who would count. */
export function CookieDetails() {
  const analytics = useConfig()?.analyticsSrc;
  return (
    <div className={css.details}>
      <p>Some are necessary: they keep you signed in and remember this choice. Nobody else reads them.</p>
      <p>
        If you allow cookies, {analytics ? <>a script from {new URL(analytics, location.origin).host}</> : "an analytics script"} may count
        how Tidings is used. “Got it!” and “Refuse cookies” leave it out. You can change your mind at any time in your settings.
      </p>
    </div>
  );
}
