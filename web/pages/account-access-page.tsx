import { useLocation } from "react-router-dom";
import { ButtonLink } from "../ui/button.tsx";
import { PageTitle } from "../ui/page-title.tsx";
import { AccountAccessList } from "../features/account-access/account-access.tsx";
import { PersonPage } from "../features/account/person-page.tsx";
import { paths } from "../lib/paths.ts";
import { Stack, Text } from "../ui/layout.tsx";

/** Review of keys and connections after a new password or 'Sign out everywhere else'. History state `next`: where to continue. */
export function Component() {
  const { next = paths.profile } = (useLocation().state ?? {}) as { next?: string };
  return (
    <PersonPage narrow>
      <Stack start>
        <PageTitle title="Keys and connections" />
        <Text tone="muted">
          A new password doesn't revoke your API keys, assistants, invitations and preview links. If someone else had access to your
          account, revoke what they created.
        </Text>
        <AccountAccessList />
        <ButtonLink to={next}>{next === paths.profile ? "Back to settings" : "Continue"}</ButtonLink>
      </Stack>
    </PersonPage>
  );
}
