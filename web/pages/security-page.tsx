import { useNavigate } from "react-router-dom";
import { hasRecentAccess } from "../features/account-access/since.ts";
import { useProfile } from "../features/account/profile.ts";
import { useSignOut } from "../features/account/use-sign-out.ts";
import { MyAssistantsSection } from "../features/assistants/my-assistants-section.tsx";
import { SettingsOfPerson } from "../features/profile-settings/settings-of-person.tsx";
import { SessionsSection } from "../features/profile-settings/sessions-section.tsx";
import { FactorsSection } from "../features/second-factor/factors-section.tsx";
import { paths } from "../lib/paths.ts";

export function Component() {
  const { data: profile } = useProfile();
  const signOut = useSignOut();
  const navigate = useNavigate();
  if (!profile) return null;
  return (
    <SettingsOfPerson title="Security">
      <FactorsSection />
      <SessionsSection
        onSignOut={() => signOut()}
        onEndedOthers={async () => {
          if (await hasRecentAccess()) await navigate(paths.accountAccess);
        }}
      />
      <MyAssistantsSection userId={profile.user_id} />
    </SettingsOfPerson>
  );
}
