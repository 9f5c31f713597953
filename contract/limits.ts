/**
 * Numbers and closed sets of the product, one place for server, client, database tests and docs.
 * Sizes are bytes, durations milliseconds, lengths characters unless the name says otherwise.
 * Source: specification, section 9.
 */
export const titleMaxLength = 119;
export const summaryMaxLength = 300;
export const workspaceNameMaxLength = 120;
export const fullNameMaxLength = 120;
export const jobTitleMaxLength = 120;
export const companyNameMaxLength = workspaceNameMaxLength;
export const emailMaxLength = 254;
export const emailLocalPartMaxLength = 64;
export const passwordMinLength = 8;
export const passwordMaxLength = 72; // bcrypt reads no further
export const subdomainMinLength = 3;
export const subdomainMaxLength = 63;
export const tagMaxLength = 40;
export const tagsPerPost = 20;
/** How far ahead a post can be scheduled; the database knows the same number. */
export const scheduleReachYears = 10;
export const allowedOriginsPerWorkspace = 20;

export const logoMaxBytes = 5_242_880;
export const avatarMaxBytes = 2_097_152;
export const imageMaxBytes = 5_242_880;
/** Pixels of an image that is taken: the longer side, the whole, and all pictures of an animation together (a minute and a half in full HD). */
export const imageMaxSide = 20_000;
export const imageMaxPixels = 50_000_000;
export const imagesMaxPixels = 2_000_000_000;
/** Body of a JSON call that carries a post; one of 300 blocks is well below. */
export const jsonBodyMaxBytes = 2_097_152;
/** Body of every other JSON call. */
export const smallJsonBodyMaxBytes = 65_536;
/** Values in the JSON of a post, far above what `blockLimits` let through, and in that of every other call. */
export const jsonMaxValues = 80_000;
export const smallJsonMaxValues = 2_000;
/**
 * Bytes that one person's calls may carry, bodies and answers together, in each process: this many at once, and that many again a second.
 * A write counts as `least` at least. Far above what writing needs: a post of ten pages, saved four times a second. RATE_LIMIT_SCALE
 * multiplies it; 429 with Retry-After beyond.
 */
export const byteBudget = { size: 4_194_304, perSecond: 262_144, least: 4_096 } as const;
/** Calls that carry more bytes than this are worked on one at a time, people in turns. */
export const largeBytes = 65_536;
/** Body of a multipart call: the file and its envelope. */
export const multipartBodyMaxBytes = imageMaxBytes + 65_536;

export const postListPage = 1;
export const postListLimit = 10;
export const postListMaxLimit = 100;
export const searchLimit = 8;
export const searchMaxLimit = 50;
export const searchMinLength = 2;
export const searchTermMaxLength = 200;
export const sidebarPageSize = 15;
export const changelogPageSize = 20;
export const sidebarStateListSize = 100;
export const tablePageSizes = [10, 20, 50, 100] as const;
export const pageButtons = 7;
export const releasesPageSize = 10;
export const releasesMaxPageSize = 50;
export const releasesTermMaxLength = 100;

export const maxPostsMin = 1;
export const maxPostsMax = 20;
export const maxPostsDefault = 5;

export const searchDebounceMs = 300;
export const presencePingMs = 30_000;
export const presenceReconnectMs = 3_000;
export const relativeTimeRefreshMs = 30_000;
export const postLoginRedirectDelayMs = 600;
export const onboardingStepMs = 500;
export const pageLoadingMs = 1_000;
export const toastMs = 4_000;
export const toastErrorMs = 5_000;
export const toastSuccessMs = 3_000;
export const highlightMs = 600;
export const deletionAnimationMs = 500;
export const copiedMs = 3_000;
export const mobileBreakpointPx = 768;

/** Format version written into content_raw. Source: specification, section 9. */
export const editorFormatVersion = "2.28.2";

export const roles = ["owner", "admin", "editor", "viewer"] as const;
export type Role = (typeof roles)[number];

export const postStatuses = ["draft", "scheduled", "published", "archived"] as const;
export type PostStatus = (typeof postStatuses)[number];

export const addOns = ["analytics", "sso", "custom-domain", "backup", "reports", "priority-support"] as const;
export type AddOn = (typeof addOns)[number];

/** At most `size` calls at once, and that many again in every `seconds`, evenly. */
export interface Rate {
  size: number;
  seconds: number;
}

/**
 * How often the calls that name a limit may be made, counted for each network address, signed-in person, invitation token and e-mail address
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
  /** Links of mails, codes of identity providers. */
  credential: { address: { size: 60, seconds: 300 } },
  /** Reading and using an invitation. */
  invitation: { address: { size: 120, seconds: 60 }, token: { size: 60, seconds: 60 } },
  /** Making an invitation, which may send a mail. */
  invite: { person: { size: 60, seconds: 3_600 } },
  /** Invitations mailed to one address, whoever makes them; beyond it the maker has the link to hand on. */
  inviteMail: { account: { size: 5, seconds: 86_400 } },
  newWorkspace: { person: { size: 30, seconds: 3_600 } },
  upload: { person: { size: 60, seconds: 60 } },
  search: { person: { size: 120, seconds: 60 } },
  /** Everything a workspace holds, in one piece. */
  export: { person: { size: 20, seconds: 3_600 } },
  /** What a clock asks for, and whoever wants to. */
  job: { address: { size: 20, seconds: 60 } },
} as const satisfies Record<string, Partial<Record<RateLimitSubject, Rate>>>;
export type RateLimitName = keyof typeof rateLimits;
/** Limits whose tokens of an account are given back when the call succeeds. */
export const failuresOnly: readonly RateLimitName[] = ["signIn"];
/** Limits of mails whose end, for an account, is no refusal: nothing is sent. */
export const quietLimits: readonly RateLimitName[] = ["mailLink", "inviteMail"];
/** A rate's size on an installation whose RATE_LIMIT_SCALE is `scale`: at least one call, and no more than Postgres' integers hold. */
export const scaledSize = ({ size }: Rate, scale: number): number => Math.min(Math.max(1, Math.round(size * scale)), 1_000_000_000);
/** What is counted. */
export type RateLimitSubject = "address" | "person" | "token" | "accountAtAddress" | "account";

/** How long the link of a confirmation mail works, as the mail says; the browser that signed up is recognised for as long. */
export const confirmationLinkSeconds = 3_600;

export const idempotencyKeyMaxLength = 200;

/** First labels that no workspace may take. Source: product decision 17. */
export const reservedSubdomains = [
  "www",
  "app",
  "api",
  "admin",
  "mail",
  "auth",
  "static",
  "assets",
  "widget",
  "status",
  "docs",
  "blog",
  "help",
  "support",
  "dev",
  "test",
  "ftp",
  "smtp",
  "imap",
  "pop",
  "ns1",
  "ns2",
  "cdn",
  "img",
  "images",
  "media",
  "files",
  "storage",
  "realtime",
  "rest",
  "functions",
  "graphql",
  "dashboard",
  "account",
  "accounts",
  "billing",
  "login",
  "signup",
  "join",
  "onboarding",
  "releases",
  "changelog",
  "feed",
  "rss",
  "tidings",
  "root",
  "localhost",
  "security",
  "abuse",
  "postmaster",
  "webmaster",
  "hostmaster",
  "demo-admin",
  "internal",
  "staging",
  "beta",
] as const;
