import { useLocation } from "react-router-dom";
import { ButtonLink } from "../components/button.tsx";
import { PageTitle } from "../components/page-title.tsx";
import { AccountAccessList } from "../features/account-access/account-access.tsx";
import { PersonPage } from "../features/session/person-page.tsx";
import { paths } from "../lib/paths.ts";
import css from "./account-access-page.module.css";

/** After a new password or 'Sign out everywhere else': what else acts for the person. `next`, kept with the history entry, is where they were going. */
export function Component() {
  const { next = paths.profile } = (useLocation().state ?? {}) as { next?: string };
  return (
    <PersonPage narrow>
      <PageTitle title="What else acts for you" />
      <p className={css.text}>
        API keys, assistants, invitations and preview links you made keep working after a new password and after you sign out. If someone
        else was in your account, end what they may have made.
      </p>
      <AccountAccessList />
      <div className={css.onwards}>
        <ButtonLink to={next}>{next === paths.profile ? "Back to settings" : "Continue"}</ButtonLink>
      </div>
    </PersonPage>
  );
}
