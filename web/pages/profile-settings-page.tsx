import { Button } from "../components/button.tsx";
import { PageTitle } from "../components/page-title.tsx";
import { Section } from "../components/section.tsx";
import { MyAssistantsSection } from "../features/assistants/my-assistants-section.tsx";
import { askForConsent } from "../features/consent/consent-popup.ts";
import { EmailSection } from "../features/profile-settings/email-section.tsx";
import { PasswordSection } from "../features/profile-settings/password-section.tsx";
import { PersonSection } from "../features/profile-settings/person-section.tsx";
import { SessionsSection } from "../features/profile-settings/sessions-section.tsx";
import { ThemeSection } from "../features/profile-settings/theme-section.tsx";
import { changePassword } from "../lib/change-password.ts";
import { PersonPage } from "../features/session/person-page.tsx";
import { useProfile } from "../features/session/profile.ts";
import { useSignOut } from "../features/session/use-sign-out.ts";
import css from "./settings-page.module.css";

/** Everything a person can set for themselves, in whichever workspace they are. */
export function Component() {
  const { data: profile } = useProfile();
  const signOut = useSignOut();
  if (!profile) return null; // the guard has read it
  return (
    <PersonPage back>
      <PageTitle title="Profile settings" subtitle={profile.full_name} />
      <div className={css.sections}>
        <PersonSection profile={profile} />
        <EmailSection email={profile.email} />
        <PasswordSection email={profile.email} save={changePassword} />
        <SessionsSection onSignOut={() => signOut()} />
        <MyAssistantsSection userId={profile.user_id} />
        <ThemeSection />
        <Section title="Cookies" text="Which ones we may set in this browser.">
          <Button onClick={askForConsent}>Cookie settings</Button>
        </Section>
      </div>
    </PersonPage>
  );
}
