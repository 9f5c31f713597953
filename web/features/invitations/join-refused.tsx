import { paths } from "../../lib/paths.ts";
import { Button, ButtonLink } from "../../ui/button.tsx";
import { NarrowPage } from "../../ui/page.tsx";
import { ApiError } from "../../lib/api-client.ts";
import { Stack } from "../../ui/layout.tsx";

interface JoinRefusedProps {
  error: unknown;
  email: string;
  onOtherAccount: () => void;
}

/** Source: specification, sections 2 and 8. */
export function JoinRefused({ error, email, onOtherAccount }: JoinRefusedProps) {
  const hasResponse = error instanceof ApiError && error.code !== "network";
  const sentence = hasResponse ? error.message : "Failed to join the team. Please try again later.";
  const wrongAccount = error instanceof ApiError && error.code === "wrong_invitation_account";
  return (
    <NarrowPage title="Something went wrong" text={<span role="alert">{sentence}</span>}>
      {wrongAccount && (
        <p>
          You're signed in as <strong>{email}</strong>. To join, sign in with the email address that was invited.
        </p>
      )}
      <Stack gap={3}>
        {wrongAccount && (
          <Button variant="primary" wide onClick={onOtherAccount}>
            Use another account
          </Button>
        )}
        <ButtonLink to={paths.workspaces} variant={wrongAccount ? "secondary" : "primary"} wide>
          Go to Workspaces
        </ButtonLink>
      </Stack>
    </NarrowPage>
  );
}
