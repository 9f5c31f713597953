import type { Profile } from "#contract/profile.ts";
import { paths } from "../../lib/paths.ts";
import { Button, ButtonLink } from "../../components/button.tsx";
import css from "./invited.module.css";

interface InvitedPersonProps {
  profile: Profile;
  busy: boolean;
  onAccept: () => void;
}

/** For somebody who is signed in: join, or not. */
export function InvitedPerson({ profile, busy, onAccept }: InvitedPersonProps) {
  return (
    <div className={css.choices}>
      <Button variant="primary" wide busy={busy} onClick={onAccept}>
        {busy ? "Joining…" : "Accept Invitation & Join Team"}
      </Button>
      <ButtonLink to={paths.workspaces} variant="quiet" wide>
        Cancel
      </ButtonLink>
      <p className={css.note}>You are signed in as {profile.email}.</p>
    </div>
  );
}
