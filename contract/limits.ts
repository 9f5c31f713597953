/**
 * Numbers and closed sets of the product, one place for server, client, database tests and docs.
 * Sizes are bytes, durations milliseconds, lengths characters unless the name says otherwise.
 * Source: specification, section 9.
 */
export const titleMaxLength = 119;
export const summaryMaxLength = 300;
/** About as many; whole sentences may be shorter. */
export const excerptLength = 160;
/** Of what a cover image is described with. */
export const altMaxLength = 300;
export const workspaceNameMaxLength = 120;
export const fullNameMaxLength = 120;
export const commentMaxLength = 5_000;
export const mentionsPerComment = 20;
/** Of what a workspace tells assistants about its way of writing. */
export const houseStyleMaxLength = 4_000;
export const jobTitleMaxLength = 120;
export const companyNameMaxLength = workspaceNameMaxLength;
/** Of the name that a workspace's emails come from, and how long a publication can be taken back before they are sent. */
export const senderNameMaxLength = 80;
export const undoMinutesMax = 60;
export const emailMaxLength = 254;
export const emailLocalPartMaxLength = 64;
export const passwordMinLength = 8;
export const passwordMaxLength = 72; // bcrypt reads no further
export const subdomainMinLength = 3;
export const subdomainMaxLength = 63;
export const tagMaxLength = 40;
export const tagsPerPost = 20;
/** Of what machines and other products call a post. */
export const externalIdMaxLength = 200;
/** Entries that one import has at most. */
export const importMaxEntries = 10_000;
export const importNameMaxLength = 200;
export const oldUrlsPerPost = 10;
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
export const postListPage = 1;
export const postListLimit = 10;
export const postListMaxLimit = 100;
export const searchLimit = 8;
export const searchMaxLimit = 50;
export const searchMinLength = 2;
export const searchTermMaxLength = 200;
export const sidebarPageSize = 15;
export const tablePageSizes = [10, 20, 50, 100] as const;
export const pageButtons = 7;
export const releasesPageSize = 10;
export const releasesMaxPageSize = 50;
export const releasesTermMaxLength = 100;

export const maxPostsMin = 1;
export const maxPostsMax = 20;
export const maxPostsDefault = 5;

export const presencePingMs = 30_000;
/** Format version written into content_raw. Source: specification, section 9. */
export const editorFormatVersion = "2.28.2";

/** How long the link of a confirmation mail works, as the mail says; the browser that signed up is recognised for as long. */
export const confirmationLinkSeconds = 3_600;

export const idempotencyKeyMaxLength = 200;

/** Of an API key, and how far ahead it can expire. */
export const apiKeyNameMaxLength = 60;
export const apiKeyReachYears = 10;
