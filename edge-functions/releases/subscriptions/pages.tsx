/** @jsxImportSource preact */
import { frequencies, type Frequency } from "#contract/subscriptions.ts";
import type { Tag } from "#contract/tags.ts";
import type { Words } from "#contract/i18n/index.ts";
import { languageOf } from "../language.ts";
import { Layout } from "../pages/layout.tsx";
import { EnvelopeDrawing, SignpostDrawing } from "../pages/parts.tsx";
import type { PublicWorkspace } from "../queries/releases.ts";
import type { Site } from "../site.ts";
import type { Subscription } from "./queries.ts";

interface Branded {
  workspace: PublicWorkspace;
  site: Site;
}

const wordsOf = (workspace: PublicWorkspace): Words["subscription"] => languageOf(workspace).words.subscription;

const about = (title: string) => ({ title, description: title, canonical: null });

export function SubscribeLine({ workspace, site }: Branded) {
  if (!workspace.mails) return null;
  const words = wordsOf(workspace);
  return (
    <section className="subscribe" aria-labelledby="subscribe">
      <h2 id="subscribe">{words.getUpdates}</h2>
      <form method="post" action={site.path("/releases/subscribe")}>
        <label className="spoken" htmlFor="subscribe-email">
          {words.yourEmail}
        </label>
        <input
          id="subscribe-email"
          type="email"
          name="email"
          required
          maxLength={254}
          autoComplete="email"
          placeholder="name@example.com"
        />
        <Trap />
        <button className="button" type="submit">
          {words.subscribe}
        </button>
      </form>
      <p>
        <a href={site.path("/releases/subscribe.html")}>{words.chooseMore}</a>
      </p>
    </section>
  );
}

function Trap() {
  return <input className="trap" type="text" name="website" tabIndex={-1} autoComplete="off" aria-hidden="true" />;
}

interface WishFormProps extends Branded {
  tags: readonly Tag[];
  wrong?: string;
  chosen?: { frequency: Frequency; tags: readonly string[] };
}

/** Also shown again with an invalid address, so no input is lost. */
export function SubscribePage({ workspace, site, tags, wrong, chosen = { frequency: "instant", tags: [] } }: WishFormProps) {
  const words = wordsOf(workspace);
  return (
    <Layout about={about(`${words.byMail} · ${workspace.name}`)} branded={{ workspace, site }}>
      <div className="subscription">
        <h1>{words.getUpdates}</h1>
        <p>{words.lead(workspace.name)}</p>
        <form method="post" action={site.path("/releases/subscribe")}>
          <label htmlFor="email">{words.email}</label>
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
              {words.wrongEmail}
            </p>
          )}
          <Choices tags={tags} chosen={chosen} words={words} />
          <Trap />
          <button className="button" type="submit">
            {words.subscribe}
          </button>
        </form>
      </div>
    </Layout>
  );
}

interface ChoicesProps {
  tags: readonly Tag[];
  chosen: { frequency: Frequency; tags: readonly string[] };
  words: Words["subscription"];
}

function Choices({ tags, chosen, words }: ChoicesProps) {
  return (
    <>
      <fieldset>
        <legend>{words.howOften}</legend>
        {frequencies.map((frequency) => (
          <label key={frequency}>
            <input type="radio" name="frequency" value={frequency} defaultChecked={frequency === chosen.frequency} /> {words[frequency]}
          </label>
        ))}
      </fieldset>
      {tags.length > 0 && (
        <fieldset>
          <legend>{words.whichTopics}</legend>
          <p>{words.noneIsAll}</p>
          {tags.map(({ key, label }) => (
            <label key={key}>
              <input type="checkbox" name="tags" value={key} defaultChecked={chosen.tags.includes(key)} /> <bdi>{label}</bdi>
            </label>
          ))}
        </fieldset>
      )}
    </>
  );
}

export function AskedPage({ workspace, site }: Branded) {
  const words = wordsOf(workspace);
  return (
    <Layout about={about(`${words.checkMail} · ${workspace.name}`)} branded={{ workspace, site }}>
      <div className="note">
        <EnvelopeDrawing />
        <h1>{words.checkMail}</h1>
        <p>{words.sent(workspace.name)}</p>
        <a className="button" href={site.path("/releases")}>
          {words.backToAll}
        </a>
      </div>
    </Layout>
  );
}

export type Done = "confirm" | "return" | "save" | "leave";
const doneWords = { confirm: "confirmed", return: "returned", save: "saved", leave: "left" } as const satisfies Record<
  Done,
  keyof Words["subscription"]
>;

export const isDone = (text: string | null): text is Done => text !== null && Object.hasOwn(doneWords, text);

export interface SubscriptionPageProps extends Branded {
  subscription: Subscription;
  token: string;
  tags: readonly Tag[];
  done: Done | null;
}

/** Opening the page changes nothing. */
export function SubscriptionPage({ workspace, site, subscription, token, tags, done }: SubscriptionPageProps) {
  const { email, status } = subscription;
  const words = wordsOf(workspace);
  const { name } = workspace;
  const action = site.path(`/releases/subscription/${token}`);
  return (
    <Layout about={about(`${words.yours} · ${workspace.name}`)} branded={{ workspace, site }}>
      <div className="subscription">
        <h1>{status === "pending" ? words.oneClick : words.yours}</h1>
        {done !== null && (
          <p className="done" role="status">
            {words[doneWords[done]]}
          </p>
        )}
        {status === "pending" && (
          <>
            <To sentence={words.shallCome(name)} email={email} />
            <Act action={action} name="confirm" label={words.confirm} />
            <p className="aside">{words.notAsked}</p>
          </>
        )}
        {(status === "active" || status === "paused") && (
          <>
            <To sentence={words.comesTo(name)} email={email} />
            {status === "paused" && <p>{words.paused}</p>}
            {status === "paused" && <Act action={action} name="return" label={words.resume} />}
            {subscription.tags?.length === 0 && (
              <p className="wrong" role="note">
                {words.topicsGone}
              </p>
            )}
            <form method="post" action={action}>
              <input type="hidden" name="action" value="save" />
              <Choices
                tags={withChosen(tags, subscription.tags)}
                chosen={{ frequency: subscription.frequency, tags: subscription.tags ?? [] }}
                words={words}
              />
              <button className="button" type="submit">
                {words.save}
              </button>
            </form>
            <h2>{words.leave}</h2>
            <Act action={action} name="leave" label={words.unsubscribe} quiet />
          </>
        )}
        {status === "left" && (
          <>
            <To sentence={words.noneTo(name)} email={email} />
            <Act action={action} name="return" label={words.again} />
          </>
        )}
        {status === "suppressed" && <To sentence={words.suppressed()} email={email} />}
        <h2>{words.yourData}</h2>
        <form method="post" action={action}>
          <button className="plain" type="submit" name="action" value="export">
            {words.download}
          </button>
        </form>
        <details>
          <summary>{words.eraseAll}</summary>
          <p>{words.eraseMeans}</p>
          <Act action={action} name="erase" label={words.erase} quiet />
        </details>
      </div>
    </Layout>
  );
}

function To({ sentence: [before, behind], email }: { sentence: readonly [string, string]; email: string }) {
  return (
    <p>
      {before}
      <strong dir="ltr">{email}</strong>
      {behind}
    </p>
  );
}

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

export function NoSubscriptionPage({ workspace, site, erased = false }: Branded & { erased?: boolean }) {
  const words = wordsOf(workspace);
  return (
    <Layout about={about(`${erased ? words.erasedTitle : words.deadTitle} · ${workspace.name}`)} branded={{ workspace, site }}>
      <div className="note">
        <SignpostDrawing />
        <h1>{erased ? words.erased : words.dead}</h1>
        <p>{erased ? words.noMore : words.deadHint}</p>
        <a className="button" href={site.path(erased || !workspace.mails ? "/releases" : "/releases/subscribe.html")}>
          {erased || !workspace.mails ? languageOf(workspace).words.page.seeAll : words.subscribe}
        </a>
      </div>
    </Layout>
  );
}
