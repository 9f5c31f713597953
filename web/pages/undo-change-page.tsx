import { useState } from "react";
import { useLocation, useSearchParams } from "react-router-dom";
import { authEndpoints } from "#contract/auth.ts";
import { errorCatalogue } from "#contract/errors.ts";
import { ApiError, call } from "../lib/api-client.ts";
import { clearCachedReads } from "../lib/clear-cached-reads.ts";
import { paths } from "../lib/paths.ts";
import { useAction } from "../lib/use-action.ts";
import { Button, ButtonLink } from "../ui/button.tsx";
import { NarrowPage } from "../ui/page.tsx";

const secured = "All devices are signed out, and the password no longer works. Set a new one to sign in.";

interface Texts {
  title: string;
  text: string;
  verb: string;
  done: string;
}

const changes: Record<string, Texts> = {
  email_changed: {
    title: "Undo email change",
    text: "You'll sign in with your old email again. All devices are signed out, and you'll set a new password.",
    verb: "Undo change",
    done: secured,
  },
  password_changed: {
    title: "Undo password change",
    text: "All devices are signed out, and you'll set a new password.",
    verb: "Undo change",
    done: secured,
  },
  factor_added: {
    title: "Undo new authenticator app",
    text: "The app is removed, all devices are signed out, and you'll set a new password.",
    verb: "Undo change",
    done: `The app is removed. ${secured}`,
  },
  factor_removed: {
    title: "Undo removal of authenticator app",
    text: "The app works again, all devices are signed out, and you'll set a new password.",
    verb: "Undo change",
    done: `The app works again. ${secured}`,
  },
  factor_reset: {
    title: "Keep two-factor authentication?",
    text: "The owner of your workspace asked to remove your authenticator apps. If you lost yours, remove them now.",
    verb: "Keep my apps",
    done: "Nothing was removed. Your codes still work.",
  },
};

/** Target of links in emails about changed credentials and addresses. Only a button acts, so mail scanners that open it do no harm. */
export function Component() {
  const [query] = useSearchParams();
  const token = query.get("token");
  const kind = useLocation().pathname === paths.undoEmailChange ? "email_changed" : (query.get("kind") ?? "");
  const texts = changes[kind];
  const [done, setDone] = useState<string>();
  const [isInvalid, setInvalid] = useState(false);
  const { running, run } = useAction();

  const act = (confirm: boolean, then: string) =>
    void run(confirm ? "confirm" : "undo", "Couldn't do this", async () => {
      const body = { token: token ?? "", confirm };
      try {
        if (kind === "email_changed") {
          const { email } = await call(authEndpoints.undoEmailChange, { body });
          setDone(`You sign in with ${email} again. ${then}`);
        } else {
          await call(authEndpoints.undoChange, { body });
          setDone(then);
        }
      } catch (error) {
        if (!(error instanceof ApiError) || error.code !== "link_invalid") throw error;
        return setInvalid(true);
      }
      await clearCachedReads(); // this browser may have been signed in
    });

  if (!token || !texts || isInvalid) {
    return (
      <NarrowPage
        title="This link doesn't work"
        text={`${errorCatalogue.link_invalid.sentence} It expires after ${kind === "email_changed" ? "7 days" : "24 hours"}.`}
      >
        <ButtonLink to={paths.auth({ type: "signin" })} variant="primary" wide>
          Go to Sign In
        </ButtonLink>
      </NarrowPage>
    );
  }
  if (done !== undefined) {
    const [to, label] = done.endsWith(secured)
      ? [paths.forgotPassword, "Choose a new password"]
      : [paths.auth({ type: "signin" }), "Go to Sign In"];
    return (
      <NarrowPage title="Done" text={done}>
        <ButtonLink to={to} variant="primary" wide>
          {label}
        </ButtonLink>
      </NarrowPage>
    );
  }
  return (
    <NarrowPage title={texts.title} text={texts.text}>
      <Button variant="primary" wide busy={running === "undo"} disabled={running === "confirm"} onClick={() => act(false, texts.done)}>
        {texts.verb}
      </Button>
      {kind === "factor_reset" && (
        <Button
          wide
          busy={running === "confirm"}
          disabled={running === "undo"}
          onClick={() => act(true, "Your authenticator apps are removed. Your password alone signs you in.")}
        >
          Remove them now
        </Button>
      )}
    </NarrowPage>
  );
}
