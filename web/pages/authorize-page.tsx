import { useEffect, useState } from "react";
import { Navigate, useLocation, useNavigate } from "react-router-dom";
import { oauthEndpoints } from "#contract/oauth.ts";
import { Button, ButtonLink } from "../ui/button.tsx";
import { Row } from "../ui/layout.tsx";
import { NarrowPage } from "../ui/page.tsx";
import { Loading, Skeleton } from "../ui/skeleton.tsx";
import { recheckConsent } from "../features/consent/consent-popup.ts";
import { ConsentForm } from "../features/assistants/consent-form.tsx";
import { Answered, InvalidRequest } from "../features/assistants/refused-request.tsx";
import { useProfile } from "../features/account/profile.ts";
import { useSignOut } from "../features/account/use-sign-out.ts";
import { storeRequest, storedRequest } from "../lib/stored-request.ts";
import { paths } from "../lib/paths.ts";
import { useCall } from "../lib/use-call.ts";

/** OAuth consent page for assistants. Source: decision "Assistants". */
export function Component() {
  const query = useLocation().search.slice(1);
  useEffect(() => recheckConsent, []);
  const storedId = /^kept=([\w-]+)$/.exec(query)?.[1];
  return storedId === undefined ? <Request key={query} query={query} /> : <StoredRequest key={storedId} id={storedId} />;
}

/** After sign-in: restores the full URL, so a reload shows the same. */
function StoredRequest({ id }: { id: string }) {
  const [query] = useState(() => storedRequest(id));
  if (query !== null) return <Navigate to={paths.authorize(query)} replace />;
  return (
    <NarrowPage
      title="This request has expired"
      text="It was already answered or is over an hour old. Try connecting again from your assistant."
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
      <NarrowPage title="Couldn't load this request" text={<span role="alert">{error?.fields.request ?? error?.message}</span>}>
        <Row gap={3} justify="end">
          <ButtonLink to={paths.workspaces}>Go to Tidings</ButtonLink>
          {error?.code !== "validation_failed" && (
            <Button variant="primary" onClick={retry}>
              Try again
            </Button>
          )}
        </Row>
      </NarrowPage>
    );
  }
  if (data.state === "refused") return <InvalidRequest refused={data} onRetry={retry} />;
  if (data.state === "answered") return <Answered location={data.location} />;
  if (data.workspaces.length === 0) return <NoWorkspace host={data.client.host} query={query} />;
  return (
    <ConsentForm query={query} request={data} profile={profile} onOtherAccount={() => signOut({ to: paths.auth(), request: query })} />
  );
}

function Waiting() {
  return (
    <NarrowPage wide title="Connect an assistant" text="Looking up the assistant…">
      <Loading label="Loading the request">
        <Skeleton height="12rem" />
      </Loading>
    </NarrowPage>
  );
}

function NoWorkspace({ host, query }: { host: string; query: string }) {
  const navigate = useNavigate();
  function toOnboarding() {
    storeRequest(query);
    void navigate(paths.onboarding);
  }
  return (
    <NarrowPage
      title={`Connect ${host}?`}
      text="Assistants work in a workspace, and you don't have one yet. Create one or ask a teammate to invite you. You'll return here afterwards."
    >
      <Row gap={3} justify="end">
        <ButtonLink to={paths.workspaces}>Not now</ButtonLink>
        <Button variant="primary" onClick={toOnboarding}>
          Create workspace
        </Button>
      </Row>
    </NarrowPage>
  );
}
