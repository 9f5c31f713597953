import { useEffect, useState } from "react";
import { Navigate, useLocation, useNavigate } from "react-router-dom";
import { oauthEndpoints } from "#contract/oauth.ts";
import { Button, ButtonLink } from "../components/button.tsx";
import { ButtonRow } from "../components/button-row.tsx";
import { NarrowPage } from "../components/narrow-page.tsx";
import { Loading, Skeleton } from "../components/skeleton.tsx";
import { consentMayBeAsked } from "../features/consent/consent-popup.ts";
import { ConsentForm } from "../features/assistants/consent-form.tsx";
import { Answered, Refused } from "../features/assistants/refused-request.tsx";
import { useProfile } from "../features/session/profile.ts";
import { useSignOut } from "../features/session/use-sign-out.ts";
import { keepRequest, keptRequest } from "../lib/kept-request.ts";
import { paths } from "../lib/paths.ts";
import { useCall } from "../lib/use-call.ts";

/** Where an assistant sends a person who shall let it in. Source: decision "Assistants". */
export function Component() {
  const query = useLocation().search.slice(1);
  useEffect(() => consentMayBeAsked, []);
  const kept = /^kept=([\w-]+)$/.exec(query)?.[1];
  return kept === undefined ? <Request key={query} query={query} /> : <Kept key={kept} id={kept} />;
}

/** Back from signing in: the address is whole again, so that a reload shows the same. */
function Kept({ id }: { id: string }) {
  const [query] = useState(() => keptRequest(id));
  if (query !== null) return <Navigate to={paths.authorize(query)} replace />;
  return (
    <NarrowPage
      title="This request is no longer here"
      text="It was answered already, or it is more than an hour old. Begin again in your assistant."
    >
      <ButtonLink to={paths.workspaces}>Go to Tidings</ButtonLink>
    </NarrowPage>
  );
}

function Request({ query }: { query: string }) {
  const { data: profile } = useProfile();
  const { data, error, isValidating, mutate } = useCall(
    oauthEndpoints.read,
    { query: { request: query } },
    {
      revalidateOnFocus: false,
      revalidateOnReconnect: false,
      shouldRetryOnError: false,
    },
  );
  const signOut = useSignOut();
  const retry = () => void mutate(undefined, { revalidate: true });

  if (!profile || (!data && !error) || (!data && isValidating)) return <Waiting />;
  if (!data) {
    return (
      <NarrowPage title="This request could not be read" text={<span role="alert">{error?.fields.request ?? error?.message}</span>}>
        <ButtonRow>
          <ButtonLink to={paths.workspaces}>Go to Tidings</ButtonLink>
          {error?.code !== "validation_failed" && (
            <Button variant="primary" onClick={retry}>
              Try again
            </Button>
          )}
        </ButtonRow>
      </NarrowPage>
    );
  }
  if (data.state === "refused") return <Refused refused={data} onRetry={retry} />;
  if (data.state === "answered") return <Answered location={data.location} />;
  if (data.workspaces.length === 0) return <NoWorkspace host={data.client.host} query={query} />;
  return <ConsentForm query={query} asked={data} profile={profile} onOtherAccount={() => signOut({ to: paths.auth(), request: query })} />;
}

function Waiting() {
  return (
    <NarrowPage roomy title="Connect an assistant" text="One moment: we look up who asks.">
      <Loading label="Looking up who asks">
        <Skeleton height="12rem" />
      </Loading>
    </NarrowPage>
  );
}

/** An assistant works in a workspace, and there is none yet. */
function NoWorkspace({ host, query }: { host: string; query: string }) {
  const navigate = useNavigate();
  function toOnboarding() {
    keepRequest(query);
    void navigate(paths.onboarding);
  }
  return (
    <NarrowPage
      title={`Connect ${host}?`}
      text="It would work in a workspace, and you have none yet. Create one, or have a colleague invite you into theirs; then you come back here."
    >
      <ButtonRow>
        <ButtonLink to={paths.workspaces}>Not now</ButtonLink>
        <Button variant="primary" onClick={toOnboarding}>
          Create a workspace
        </Button>
      </ButtonRow>
    </NarrowPage>
  );
}
