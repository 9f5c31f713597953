/** Token bucket: `size` calls at once, refilled evenly within `seconds`. */
export interface Rate {
  size: number;
  seconds: number;
}

/**
 * Rate limits by network address, signed-in person, invitation token and email address in the body: `account` over all networks,
 * `accountAtAddress` per network. TIDINGS_RATE_LIMIT_SCALE multiplies each size; beyond it 429 with Retry-After. Sized for an office behind one
 * address. A stranger must not lock an owner out: one network gets less than the account's own limit refills. Password guessing is limited
 * to 20 tries and 480 a day per network, 200 and 4,800 a day overall, so a lockout takes ten networks non-stop. Emails to one address: 4
 * and 96 a day per network, 12 and 288 overall.
 */
export const rateLimits = {
  /** `account` counts failures only. */
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
  /** Emails that a stranger can trigger. Over an account's limit the response is unchanged, and nothing is sent. */
  mailLink: {
    address: { size: 30, seconds: 600 },
    accountAtAddress: { size: 4, seconds: 3_600 },
    account: { size: 12, seconds: 3_600 },
  },
  /**
   * Session renewals by refresh token. Hosted Supabase counts all of them under one address (`[auth.rate_limit]` in supabase/config.toml),
   * so a person gets a sixtieth per address and a twelfth in total, an address half. A browser renews hourly for all tabs, at worst once
   * per function instance. Success isn't refunded, or a session could renew endlessly. The person is read from the old token: a leaked one
   * can't lock its owner out from one network.
   */
  renewal: { accountAtAddress: { size: 60, seconds: 600 }, person: { size: 300, seconds: 600 }, address: { size: 900, seconds: 300 } },
  credential: { address: { size: 60, seconds: 300 } },
  /** A code has six digits, and three are valid at a time. */
  factorCode: { person: { size: 10, seconds: 900 }, address: { size: 60, seconds: 900 } },
  changeEmail: {
    person: { size: 10, seconds: 3_600 },
    address: { size: 30, seconds: 3_600 },
    account: { size: 5, seconds: 86_400 },
  },
  currentPassword: { person: { size: 10, seconds: 3_600 }, address: { size: 30, seconds: 3_600 } },
  invitation: { address: { size: 120, seconds: 60 }, token: { size: 60, seconds: 60 } },
  invite: { person: { size: 60, seconds: 3_600 } },
  /** Invitation emails per address; beyond it the inviter shares the link by hand. */
  inviteMail: { account: { size: 5, seconds: 86_400 } },
  newWorkspace: { person: { size: 30, seconds: 3_600 } },
  upload: { person: { size: 60, seconds: 60 } },
  search: { person: { size: 120, seconds: 60 } },
  preview: { person: { size: 60, seconds: 60 } },
  lookPreview: { person: { size: 120, seconds: 60 } },
  previewLink: { person: { size: 60, seconds: 3_600 } },
  /** A token can't be guessed; this limits the load. */
  previewRead: { address: { size: 240, seconds: 60 } },
  /** The password of a private changelog; only wrong ones count. */
  readerPassword: { address: { size: 5, seconds: 60 } },
  /** Tokens of readers, from the widget at each page view. */
  identify: { address: { size: 600, seconds: 60 } },
  previewComment: { address: { size: 20, seconds: 600 } },
  comment: { person: { size: 120, seconds: 600 } },
  review: { person: { size: 60, seconds: 3_600 } },
  export: { person: { size: 20, seconds: 3_600 } },
  subscribe: { address: { size: 20, seconds: 3_600 }, account: { size: 4, seconds: 86_400 } },
  /** Mail providers report many emails from few addresses. */
  mailEvents: { address: { size: 1_200, seconds: 60 } },
  addSubscriber: { person: { size: 120, seconds: 3_600 } },
  /** 1,000 lines each; the database limits a workspace as well. */
  importSubscribers: { person: { size: 400, seconds: 3_600 } },
  newImport: { person: { size: 120, seconds: 3_600 } },
  importImage: { person: { size: 600, seconds: 600 } },
  importSource: { person: { size: 120, seconds: 600 } },
  widgetCheck: { person: { size: 30, seconds: 600 } },
  mailCheck: { person: { size: 30, seconds: 600 } },
  bucket: { person: { size: 60, seconds: 600 } },
  /** Reads a whole backup and creates a workspace. */
  restore: { person: { size: 10, seconds: 3_600 } },
  testMail: { person: { size: 20, seconds: 3_600 } },
  /** May send an email; the database also limits workspaces and addresses. */
  addReportRecipient: { person: { size: 60, seconds: 3_600 } },
  reportPreview: { person: { size: 5, seconds: 3_600 } },
  reportLink: { address: { size: 600, seconds: 60 }, token: { size: 30, seconds: 60 } },
  newKey: { person: { size: 60, seconds: 3_600 } },
  /** Each call fetches the assistant's document. */
  consent: { person: { size: 60, seconds: 600 } },
  oauthToken: { address: { size: 600, seconds: 60 } },
  /** Well-formed but unknown or revoked keys; counts failures only. */
  unknownKey: { address: { size: 60, seconds: 600 } },
  unknownToken: { address: { size: 1_200, seconds: 600 } },
  webhook: { person: { size: 240, seconds: 3_600 } },
  job: { address: { size: 120, seconds: 60 } },
} as const satisfies Record<string, Partial<Record<RateLimitSubject, Rate>>>;
export type RateLimitName = keyof typeof rateLimits;
/** 120 calls a minute and 20 more at once. Counted by the database with the key lookup. */
export const apiKeyRate: Rate = { size: 140, seconds: 70 };
export const failuresOnly: readonly RateLimitName[] = ["signIn"];
/** Over an account's limit these respond as usual and send nothing. */
export const quietLimits: readonly RateLimitName[] = ["mailLink", "inviteMail", "subscribe"];
export const scaledSize = ({ size }: Rate, scale: number): number => Math.min(Math.max(1, Math.round(size * scale)), 1_000_000_000);
export type RateLimitSubject = "address" | "person" | "token" | "accountAtAddress" | "account";
