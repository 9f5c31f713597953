import { useConfig } from "../../lib/config.ts";
import css from "./cookie-details.module.css";

export function CookieDetails() {
  const analytics = useConfig()?.analyticsSrc;
  return (
    <div className={css.details}>
      <p>Necessary cookies keep you signed in and remember this choice. No third party reads them.</p>
      <p>
        If you allow cookies, {analytics ? <>a script from {new URL(analytics, location.origin).host}</> : "an analytics script"} can count
        how Tidings is used. “Got it!” and “Refuse cookies” don't allow this. You can change your choice in your settings at any time.
      </p>
    </div>
  );
}
