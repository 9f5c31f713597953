/** At most `size` calls at once, and that many again in every `seconds`, evenly. */
export interface Rate {
  size: number;
  seconds: number;
}

/**
 * How often the calls that name a limit may be made, counted for each network address, signed-in person, invitation token and email address
 * in the body: `account` for that over all networks, `accountAtAddress` for it and the network together. RATE_LIMIT_SCALE multiplies every
 * size; 429 with Retry-After beyond it. An office behind one address fits.
 *
 * A stranger must not be able to use an account's limit up and so keep its owner out: from one network less gets through than the account's
 * own limit gives back. Guessing a password from one network comes to 20 tries and 480 more a day, from any number of them to 200 and 4,800 a
 * day; to keep somebody out takes ten networks, without a pause. Mails to one address: 4 and 96 a day from one network, 12 and 288 from all.
 */
export const rateLimits = {
  /** Counts an account's failures only. */
  signIn: {
    address: { size: 120, seconds: 300 },
    accountAtAddress: { size: 20, seconds: 3_600 },
    account: { size: 200, seconds: 3_600 },
  },
  signUp: {
    address: { size: 60, seconds: 600 },
    accountAtAddress: { size: 6, seconds: 3_600 },
    account: { size: 24, seconds: 3_600 },
  },
  /** Mails that a stranger can cause. Beyond an account's limit the answer is as usual, and nothing is sent. */
  mailLink: {
    address: { size: 30, seconds: 600 },
    accountAtAddress: { size: 4, seconds: 3_600 },
    account: { size: 12, seconds: 3_600 },
  },
  /**
   * Sessions that a cookie's refresh token renews. Hosted's auth service counts everybody's as those of one address (`[auth.rate_limit]` of
   * supabase/config.toml): a person may have a sixtieth of them at one address and a twelfth in all, an address half. A browser renews once an
   * hour for all its tabs, at a bad moment once for each instance of the function. What succeeds is not given back: whoever has a session could
   * renew it without end. Who the person is says the cookie's old token: with one that has got out nobody keeps its owner out from one network.
   */
  renewal: { accountAtAddress: { size: 60, seconds: 600 }, person: { size: 300, seconds: 600 }, address: { size: 900, seconds: 300 } },
  /** Links of mails, codes of identity providers. */
  credential: { address: { size: 60, seconds: 300 } },
  /** A change of one's email address, which sends a mail; wrong passwords count, too. `account` is the new address, whoever asks. */
  changeEmail: {
    person: { size: 10, seconds: 3_600 },
    address: { size: 30, seconds: 3_600 },
    account: { size: 5, seconds: 86_400 },
  },
  /** Deleting one's account: a wrong password is a guess. */
  currentPassword: { person: { size: 10, seconds: 3_600 }, address: { size: 30, seconds: 3_600 } },
  /** Reading and using an invitation. */
  invitation: { address: { size: 120, seconds: 60 }, token: { size: 60, seconds: 60 } },
  /** Making an invitation, which may send a mail. */
  invite: { person: { size: 60, seconds: 3_600 } },
  /** Invitations mailed to one address, whoever makes them; beyond it the maker has the link to hand on. */
  inviteMail: { account: { size: 5, seconds: 86_400 } },
  newWorkspace: { person: { size: 30, seconds: 3_600 } },
  upload: { person: { size: 60, seconds: 60 } },
  search: { person: { size: 120, seconds: 60 } },
  /** Renders a whole page. */
  preview: { person: { size: 60, seconds: 60 } },
  /** The same while somebody tries colours. */
  lookPreview: { person: { size: 120, seconds: 60 } },
  /** Links by which anybody reads what is not public yet. */
  previewLink: { person: { size: 60, seconds: 3_600 } },
  /** Reading by such a link, and commenting there: guessing a token is hopeless, trying is not free. */
  previewRead: { address: { size: 240, seconds: 60 } },
  previewComment: { address: { size: 20, seconds: 600 } },
  /** Comments of a member; those who are named in one may get a mail. */
  comment: { person: { size: 120, seconds: 600 } },
  /** Asking others to approve, which sends mails. */
  review: { person: { size: 60, seconds: 3_600 } },
  /** Everything a workspace holds, in one piece. */
  export: { person: { size: 20, seconds: 3_600 } },
  /** Readers who ask to be told by mail; quiet for both: the answer is as usual, and nothing is sent. The database counts. */
  subscribe: { address: { size: 20, seconds: 3_600 }, account: { size: 4, seconds: 86_400 } },
  /** Mail providers, who tell of many mails from few addresses. */
  mailEvents: { address: { size: 1_200, seconds: 60 } },
  /** A reader whom a member adds, which sends a mail. */
  addSubscriber: { person: { size: 120, seconds: 3_600 } },
  /** A thousand lines of a list each; the database counts those of a workspace as well. */
  importSubscribers: { person: { size: 400, seconds: 3_600 } },
  newImport: { person: { size: 120, seconds: 3_600 } },
  /** An image of another site that is copied, by an import or a paste. */
  importImage: { person: { size: 600, seconds: 600 } },
  /** Asks another product's server, a piece at a time. */
  importSource: { person: { size: 120, seconds: 600 } },
  /** Asks the DNS for a few names. */
  mailCheck: { person: { size: 30, seconds: 600 } },
  /** Asks a bucket of somebody's. */
  bucket: { person: { size: 60, seconds: 600 } },
  /** Reads a whole copy, and makes a workspace of it. */
  restore: { person: { size: 10, seconds: 3_600 } },
  /** A mail to oneself. */
  testMail: { person: { size: 5, seconds: 3_600 } },
  /** One who is named for the reports of a month, which may send a mail; the database counts those of a workspace and of an address as well. */
  addReportRecipient: { person: { size: 60, seconds: 3_600 } },
  /** Last month's report to oneself. */
  reportPreview: { person: { size: 5, seconds: 3_600 } },
  /** The link in a report: mail programs stop many from few addresses. */
  reportLink: { address: { size: 600, seconds: 60 }, token: { size: 30, seconds: 60 } },
  /** Making or rotating an API key. */
  newKey: { person: { size: 60, seconds: 3_600 } },
  /** Reading and answering what an assistant asks for: each fetches its document. */
  consent: { person: { size: 60, seconds: 600 } },
  /** Assistants that change a code or a refresh token into another secret: many people's come from the few addresses of one provider. */
  oauthToken: { address: { size: 600, seconds: 60 } },
  /** Keys that are well formed and not known, or not any more: only failures are counted. */
  unknownKey: { address: { size: 60, seconds: 600 } },
  /** The same of assistants: a service that speaks for many comes from few addresses, and each of their tokens ends with the hour. */
  unknownToken: { address: { size: 1_200, seconds: 600 } },
  /** Changes of webhooks, tests and sending again: each makes a request to somebody else. */
  webhook: { person: { size: 240, seconds: 3_600 } },
  /** What a clock asks for, and whoever wants to. */
  job: { address: { size: 120, seconds: 60 } },
} as const satisfies Record<string, Partial<Record<RateLimitSubject, Rate>>>;
export type RateLimitName = keyof typeof rateLimits;
/** Calls of one API key: 120 in a minute, and 20 more at once. The database counts them as it looks the key up. */
export const apiKeyRate: Rate = { size: 140, seconds: 70 };
/** Limits whose tokens of an account are given back when the call succeeds. */
export const failuresOnly: readonly RateLimitName[] = ["signIn"];
/** Limits of mails whose end, for an account, is no refusal: nothing is sent. */
export const quietLimits: readonly RateLimitName[] = ["mailLink", "inviteMail", "subscribe"];
/** A rate's size on an installation whose RATE_LIMIT_SCALE is `scale`: at least one call, and no more than Postgres' integers hold. */
export const scaledSize = ({ size }: Rate, scale: number): number => Math.min(Math.max(1, Math.round(size * scale)), 1_000_000_000);
/** What is counted. */
export type RateLimitSubject = "address" | "person" | "token" | "accountAtAddress" | "account";
