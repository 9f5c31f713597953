import type { RefusedRequest } from "#contract/oauth.ts";
import { Button, ButtonLink, buttonClass } from "../../ui/button.tsx";
import { Note, Panel, Row, Text } from "../../ui/layout.tsx";
import { NarrowPage } from "../../ui/page.tsx";
import { paths } from "../../lib/paths.ts";
import { isSafeRedirect, describeTarget } from "./redirect-target.ts";

const titles: Readonly<Record<RefusedRequest["reason"], string>> = {
  client_id: "This request has no client ID",
  unreachable: "We couldn't reach this app",
  document: "We couldn't verify this app",
  redirect_uri: "Invalid redirect URL",
};

/** Uncertain client or redirect URL: never redirect. */
export function InvalidRequest({ refused, onRetry }: { refused: RefusedRequest; onRetry: () => void }) {
  const facts = [
    ["Assistant", refused.client_id],
    ["Redirect URL", refused.redirect_uri],
  ].filter((fact): fact is [string, string] => fact[1] !== null);
  return (
    <NarrowPage wide title={titles[refused.reason]} text={<span role="alert">{asSentence(refused.detail)} No access was granted.</span>}>
      {facts.length > 0 && (
        <Panel as="dl" sunk gap={3} style={{ width: "100%" }}>
          {facts.map(([name, value]) => (
            <div key={name}>
              <Note as="dt">{name}</Note>
              <dd>
                <Text as="code" size="code">
                  {value}
                </Text>
              </dd>
            </div>
          ))}
        </Panel>
      )}
      <Note>Try connecting again from your assistant. If it keeps failing, contact its developer.</Note>
      <Row gap={3}>
        {refused.reason === "unreachable" && (
          <Button variant="primary" onClick={onRetry}>
            Try again
          </Button>
        )}
        <ButtonLink to={paths.workspaces}>Go to Tidings</ButtonLink>
      </Row>
    </NarrowPage>
  );
}

/** Other errors are sent to the assistant, but only on click: the redirect URL could be anything. */
export function Answered({ location: to }: { location: string }) {
  const description = URL.canParse(to) ? new URL(to).searchParams.get("error_description") : null;
  return (
    <NarrowPage
      wide
      title="We can't grant this request"
      text={<span role="alert">{description ? asSentence(description) : "The request is invalid."} No access was granted.</span>}
    >
      <Note>
        Go back to <Text as="strong">{describeTarget(to)}</Text> to see the error there.
      </Note>
      <Row gap={3}>
        {isSafeRedirect(to) && (
          <a href={to} rel="noreferrer" className={buttonClass({ variant: "primary" })}>
            Go back
          </a>
        )}
        <ButtonLink to={paths.workspaces}>Stay in Tidings</ButtonLink>
      </Row>
    </NarrowPage>
  );
}

/** API messages have no full stop. */
const asSentence = (text: string): string => (/[.!?]$/.test(text) ? text : `${text}.`);
