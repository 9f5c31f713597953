import type { RefusedRequest } from "#contract/oauth.ts";
import { Button, ButtonLink, buttonClass } from "../../components/button.tsx";
import { NarrowPage } from "../../components/narrow-page.tsx";
import { paths } from "../../lib/paths.ts";
import { leadsOut, placeOf } from "./leads-out.ts";
import css from "./consent.module.css";

const titles: Readonly<Record<RefusedRequest["reason"], string>> = {
  client_id: "This request does not say who asks",
  unreachable: "Who asks could not be looked up",
  document: "Who asks could not be made sure of",
  redirect_uri: "This request leads to a wrong address",
};

/** Who asks, or where the answer would go, is in doubt: nobody is sent anywhere. */
export function Refused({ refused, onRetry }: { refused: RefusedRequest; onRetry: () => void }) {
  const facts = [
    ["Assistant", refused.client_id],
    ["Way back", refused.redirect_uri],
  ].filter((fact): fact is [string, string] => fact[1] !== null);
  return (
    <NarrowPage roomy title={titles[refused.reason]} text={<span role="alert">{asSentence(refused.detail)} Nothing was allowed.</span>}>
      {facts.length > 0 && (
        <dl className={css.facts}>
          {facts.map(([name, value]) => (
            <div key={name}>
              <dt>{name}</dt>
              <dd>
                <code>{value}</code>
              </dd>
            </div>
          ))}
        </dl>
      )}
      <p className={css.small}>Begin again in your assistant. If this comes back, whoever makes it can mend it.</p>
      <div className={css.buttons}>
        {refused.reason === "unreachable" && (
          <Button variant="primary" onClick={onRetry}>
            Try again
          </Button>
        )}
        <ButtonLink to={paths.workspaces}>Go to Tidings</ButtonLink>
      </div>
    </NarrowPage>
  );
}

/**
 * Something else is wrong with the request, and the assistant is to hear of it. Nobody is sent there without a click: any address could be the
 * target of such a link.
 */
export function Answered({ location: to }: { location: string }) {
  const said = URL.canParse(to) ? new URL(to).searchParams.get("error_description") : null;
  return (
    <NarrowPage
      roomy
      title="This request cannot be granted"
      text={<span role="alert">{said ? asSentence(said) : "Something in it is missing or wrong."} Nothing was allowed.</span>}
    >
      <p className={css.small}>
        When you go back to <strong className={css.place}>{placeOf(to)}</strong>, it is told what is wrong.
      </p>
      <div className={css.buttons}>
        {leadsOut(to) && (
          <a href={to} rel="noreferrer" className={buttonClass({ variant: "primary" })}>
            Go back
          </a>
        )}
        <ButtonLink to={paths.workspaces}>Stay in Tidings</ButtonLink>
      </div>
    </NarrowPage>
  );
}

/** What is said for programs ends without a full stop. */
const asSentence = (text: string): string => (/[.!?]$/.test(text) ? text : `${text}.`);
