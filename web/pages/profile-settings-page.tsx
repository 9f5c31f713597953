import { useNavigate } from "react-router-dom";
import { Button } from "../ui/button.tsx";
import { Section } from "../ui/section.tsx";
import { hasRecentAccess } from "../features/account-access/since.ts";
import { askForConsent } from "../features/consent/consent-popup.ts";
import { DeleteAccountSection } from "../features/profile-settings/delete-account-section.tsx";
import { EmailChange } from "../features/profile-settings/email-change.tsx";
import { EmailsSection } from "../features/profile-settings/emails-section.tsx";
import { PasswordChange } from "../features/profile-settings/password-change.tsx";
import { PersonSection } from "../features/profile-settings/person-section.tsx";
import { SettingsOfPerson } from "../features/profile-settings/settings-of-person.tsx";
import { ThemeChoice } from "../features/profile-settings/theme-choice.tsx";
import { changePassword } from "../lib/change-password.ts";
import { paths } from "../lib/paths.ts";
import { useProfile } from "../features/account/profile.ts";
import { Row } from "../ui/layout.tsx";

export function Component() {
  const { data: profile } = useProfile();
  const navigate = useNavigate();
  const reviewAccess = async () => {
    if (await hasRecentAccess()) await navigate(paths.accountAccess);
  };
  if (!profile) return null;
  return (
    <SettingsOfPerson title="Profile settings" subtitle={profile.full_name}>
      <PersonSection profile={profile} />
      <Section title="Sign-in" text={`You sign in with ${profile.email}.`}>
        <EmailChange email={profile.email} />
        <PasswordChange
          email={profile.email}
          save={async (...passwords) => {
            await changePassword(...passwords);
            await reviewAccess();
          }}
        />
      </Section>
      <EmailsSection />
      <Section title="This browser" text="Its theme, and the cookies we can set.">
        <Row gap={4}>
          <ThemeChoice />
          <Button onClick={askForConsent}>Cookie settings</Button>
        </Row>
      </Section>
      <DeleteAccountSection email={profile.email} />
    </SettingsOfPerson>
  );
}
