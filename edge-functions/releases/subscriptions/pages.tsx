import { frequencies, type Frequency, frequencyLabels } from "#contract/subscriptions.ts";
import type { Tag } from "#contract/tags.ts";
import { Layout } from "../pages/layout.tsx";
import { EnvelopeDrawing, SignpostDrawing } from "../pages/parts.tsx";
import type { PublicWorkspace } from "../queries/releases.ts";
import type { Site } from "../site.ts";
import type { Subscription } from "./queries.ts";

interface Branded {
  workspace: PublicWorkspace;
  site: Site;
}

const about = (title: string) => ({ title, description: title, canonical: null });

/** One line on the pages that are read: an address, a button, and where to choose more. */
export function SubscribeLine({ workspace, site }: Branded) {
  if (!workspace.mails) return null;
  return (
    <section className="subscribe" aria-labelledby="subscribe">
      <h2 id="subscribe">Get updates by mail</h2>
      <form method="post" action={site.path("/releases/subscribe")}>
        <label className="spoken" htmlFor="subscribe-email">
          Your email address
        </label>
        <input id="subscribe-email" type="email" name="email" required maxLength={254} autoComplete="email" placeholder="you@example.com" />
        <Trap />
        <button className="button" type="submit">
          Subscribe
        </button>
      </form>
      <p>
        <a href={site.path("/releases/subscribe.html")}>Choose topics and how often</a>
      </p>
    </section>
  );
}

/** A field that nobody sees or reaches, for what fills in every field. */
function Trap() {
  return <input className="trap" type="text" name="website" tabIndex={-1} autoComplete="off" aria-hidden="true" />;
}

interface WishFormProps extends Branded {
  tags: readonly Tag[];
  /** What was typed before, and is no address. */
  wrong?: string;
  chosen?: { frequency: Frequency; tags: readonly string[] };
}

/** The whole form, with topics and rhythm; also what an address that is none is answered with, so that nothing typed is lost. */
export function SubscribePage({ workspace, site, tags, wrong, chosen = { frequency: "instant", tags: [] } }: WishFormProps) {
  return (
    <Layout about={about(`Updates by mail · ${workspace.name}`)} branded={{ workspace, site }}>
      <div className="subscription">
        <h1>Get updates by mail</h1>
        <p>News from {workspace.name} in your inbox. You can leave with one click at any time.</p>
        <form method="post" action={site.path("/releases/subscribe")}>
          <label htmlFor="email">Email address</label>
          <input
            id="email"
            type="email"
            name="email"
            required
            maxLength={254}
            autoComplete="email"
            defaultValue={wrong}
            aria-invalid={wrong === undefined ? undefined : true}
            aria-describedby={wrong === undefined ? undefined : "email-wrong"}
            autoFocus={wrong !== undefined}
          />
          {wrong !== undefined && (
            <p className="wrong" id="email-wrong">
              Please enter a valid email address
            </p>
          )}
          <Choices tags={tags} chosen={chosen} />
          <Trap />
          <button className="button" type="submit">
            Subscribe
          </button>
        </form>
      </div>
    </Layout>
  );
}

function Choices({ tags, chosen }: { tags: readonly Tag[]; chosen: { frequency: Frequency; tags: readonly string[] } }) {
  return (
    <>
      <fieldset>
        <legend>How often?</legend>
        {frequencies.map((frequency) => (
          <label key={frequency}>
            <input type="radio" name="frequency" value={frequency} defaultChecked={frequency === chosen.frequency} />{" "}
            {frequencyLabels[frequency]}
          </label>
        ))}
      </fieldset>
      {tags.length > 0 && (
        <fieldset>
          <legend>Which topics?</legend>
          <p>None chosen means all of them.</p>
          {tags.map(({ key, label }) => (
            <label key={key}>
              <input type="checkbox" name="tags" value={key} defaultChecked={chosen.tags.includes(key)} /> {label}
            </label>
          ))}
        </fieldset>
      )}
    </>
  );
}

/** Says the same whoever asked for which address. */
export function AskedPage({ workspace, site }: Branded) {
  return (
    <Layout about={about(`Check your mail · ${workspace.name}`)} branded={{ workspace, site }}>
      <div className="note">
        <EnvelopeDrawing />
        <h1>Check your mail</h1>
        <p>
          We have sent you a link. Open it and confirm, and you will hear of what is new at {workspace.name}. Nothing there? Look into the
          spam folder, or try again later.
        </p>
        <a className="button" href={site.path("/releases")}>
          Back to all updates
        </a>
      </div>
    </Layout>
  );
}

/** What was done last, in words. */
export const doneWords: Readonly<Record<string, string>> = {
  confirm: "You are subscribed.",
  return: "You are subscribed again.",
  save: "Your choice is saved.",
  leave: "You have left. No more mails will come.",
};

export interface SubscriptionPageProps extends Branded {
  subscription: Subscription;
  token: string;
  tags: readonly Tag[];
  done: string | null;
}

/** Everything a subscriber can do, each by a button: opening the page does nothing. */
export function SubscriptionPage({ workspace, site, subscription, token, tags, done }: SubscriptionPageProps) {
  const { email, status } = subscription;
  const action = site.path(`/releases/subscription/${token}`);
  return (
    <Layout about={about(`Your subscription · ${workspace.name}`)} branded={{ workspace, site }}>
      <div className="subscription">
        <h1>{status === "pending" ? "One click to go" : "Your subscription"}</h1>
        {done !== null && (
          <p className="done" role="status">
            {done}
          </p>
        )}
        {status === "pending" && (
          <>
            <p>
              Shall news from {workspace.name} go to <strong>{email}</strong>?
            </p>
            <Act action={action} name="confirm" label="Yes, subscribe me" />
            <p className="aside">You did not ask for this? Then do nothing: no mail will come.</p>
          </>
        )}
        {(status === "active" || status === "paused") && (
          <>
            <p>
              News from {workspace.name} goes to <strong>{email}</strong>.
            </p>
            {status === "paused" && <p>Mails to this address came back lately, so there is a pause. </p>}
            {status === "paused" && <Act action={action} name="return" label="Send me mails again" />}
            {subscription.tags?.length === 0 && (
              <p className="wrong" role="note">
                The topics you chose are no longer there, so no mails come at the moment. Choose others, or none for all of them, and save.
              </p>
            )}
            <form method="post" action={action}>
              <input type="hidden" name="action" value="save" />
              <Choices
                tags={withChosen(tags, subscription.tags)}
                chosen={{ frequency: subscription.frequency, tags: subscription.tags ?? [] }}
              />
              <button className="button" type="submit">
                Save
              </button>
            </form>
            <h2>Leave</h2>
            <Act action={action} name="leave" label="Unsubscribe" quiet />
          </>
        )}
        {status === "left" && (
          <>
            <p>
              No mails from {workspace.name} go to <strong>{email}</strong>.
            </p>
            <Act action={action} name="return" label="Subscribe again" />
          </>
        )}
        {status === "suppressed" && (
          <p>
            Mails to <strong>{email}</strong> came back or were reported, so none are sent any more.
          </p>
        )}
        <h2>Your data</h2>
        <form method="post" action={action}>
          <button className="plain" type="submit" name="action" value="export">
            Download what is stored about you
          </button>
        </form>
        <details>
          <summary>Erase everything about you</summary>
          <p>
            Your address, your choices and this page will be gone. What stays is a mark that nobody can read back, so that nobody adds you
            again.
          </p>
          <Act action={action} name="erase" label="Erase me" quiet />
        </details>
      </div>
    </Layout>
  );
}

/** Tags somebody chose that no release carries at the moment stay to be chosen. */
const withChosen = (tags: readonly Tag[], chosen: readonly string[] | null): readonly Tag[] => [
  ...tags,
  ...(chosen ?? []).filter((key) => !tags.some((tag) => tag.key === key)).map((key) => ({ key, label: key, colour: "gray" as const })),
];

function Act({ action, name, label, quiet = false }: { action: string; name: string; label: string; quiet?: boolean }) {
  return (
    <form method="post" action={action}>
      <button className={quiet ? "button quiet" : "button"} type="submit" name="action" value={name}>
        {label}
      </button>
    </form>
  );
}

/** A link that is nobody's (any more), and somebody who has just been erased. */
export function NoSubscriptionPage({ workspace, site, erased = false }: Branded & { erased?: boolean }) {
  return (
    <Layout about={about(`${erased ? "Erased" : "This link leads nowhere"} · ${workspace.name}`)} branded={{ workspace, site }}>
      <div className="note">
        <SignpostDrawing />
        <h1>{erased ? "Everything about you is erased" : "This link leads nowhere any more"}</h1>
        <p>{erased ? "No more mails will come." : "It is incomplete, or the subscription it belonged to is gone. No mails come by it."}</p>
        <a className="button" href={site.path(erased || !workspace.mails ? "/releases" : "/releases/subscribe.html")}>
          {erased || !workspace.mails ? "See all updates" : "Subscribe"}
        </a>
      </div>
    </Layout>
  );
}
