import { paths } from "../../lib/paths.ts";
import { Button, ButtonLink } from "../../components/button.tsx";
import { NarrowPage } from "../../components/narrow-page.tsx";
import { ApiError } from "../../lib/api-client.ts";
import css from "./invited.module.css";

interface JoinRefusedProps {
  error: unknown;
  /** Whose account it was. */
  email: string;
  onOtherAccount: () => void;
}

/** Joining did not work: the server's sentence, the specification's where it said nothing, and the way on. Source: specification, sections 2 and 8. */
export function JoinRefused({ error, email, onOtherAccount }: JoinRefusedProps) {
  const isAnswered = error instanceof ApiError && error.code !== "network";
  const sentence = isAnswered ? error.message : "Failed to join the team. Please try again later.";
  const wrongAccount = error instanceof ApiError && error.code === "wrong_invitation_account";
  return (
    <NarrowPage title="Something went wrong" text={<span role="alert">{sentence}</span>}>
      {wrongAccount && (
        <p>
          You are signed in as <strong>{email}</strong>. Sign in with the address that the invitation was sent to, and you can join.
        </p>
      )}
      <div className={css.choices}>
        {wrongAccount && (
          <Button variant="primary" wide onClick={onOtherAccount}>
            Use another account
          </Button>
        )}
        <ButtonLink to={paths.workspaces} variant={wrongAccount ? "secondary" : "primary"} wide>
          Go to Workspaces
        </ButtonLink>
      </div>
    </NarrowPage>
  );
}
