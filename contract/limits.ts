/** Bytes, milliseconds and characters unless the name says otherwise. Source: specification, section 9. */
export const titleMaxLength = 119;
export const summaryMaxLength = 300;
export const excerptLength = 160;
export const altMaxLength = 300;
export const workspaceNameMaxLength = 120;
export const fullNameMaxLength = 120;
export const suspensionMessageMaxLength = 1_000;
export const commentMaxLength = 5_000;
export const mentionsPerComment = 20;
export const houseStyleMaxLength = 4_000;
export const jobTitleMaxLength = 120;
export const factorNameMaxLength = 60;
export const factorsPerPerson = 5;

export const issuerMaxLength = 500;
export const clientIdMaxLength = 255;
/** Some providers list hundreds of certificates and attributes. */
export const samlMetadataMaxLength = 200_000;
export const emailDomainsMax = 10;
/** A session made by single sign-on opens a workspace that requires it for this long. */
export const providerSessionDays = 7;
export const companyNameMaxLength = workspaceNameMaxLength;
/** Length of the sender's name, and minutes in which a publication can be undone before emails are sent. */
export const senderNameMaxLength = 80;
export const undoMinutesMax = 60;
export const emailMaxLength = 254;
export const emailLocalPartMaxLength = 64;
export const passwordMinLength = 8;
export const passwordMaxLength = 72; // bcrypt ignores the rest
export const subdomainMinLength = 3;
export const subdomainMaxLength = 63;
export const tagMaxLength = 40;
export const tagsPerPost = 20;
export const requestsPerPost = 20;
export const requestMaxLength = 300;
export const externalIdMaxLength = 200;
export const importMaxEntries = 10_000;
export const importNameMaxLength = 200;
export const oldUrlsPerPost = 10;
export const scheduleReachYears = 10;
export const allowedOriginsPerWorkspace = 20;
export const invitesAtOnce = 20;

export const logoMaxBytes = 5_242_880;
export const avatarMaxBytes = 2_097_152;
export const imageMaxBytes = 5_242_880;
/** Pixels of an uploaded image: longer side, total, and total of all animation frames (90 seconds of full HD). */
export const imageMaxSide = 20_000;
export const imageMaxPixels = 50_000_000;
export const imagesMaxPixels = 2_000_000_000;
export const buttonTextMaxLength = 40;
export const versionMaxLength = 60;
export const componentMaxLength = 40;
/** Conditions of an audience. */
export const audienceMaxTests = 20;
/** Of a reader's token. */
export const attributesMax = 20;
export const attributeMaxLength = 60;
export const attributeValueMaxLength = 200;
export const selectorMaxLength = 200;
export const againMaxDays = 365;
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
/** Format version in content_raw. Source: specification, section 9. */
export const editorFormatVersion = "2.28.2";

/** Validity of the confirmation link and of the cookie that recognises the browser. */
export const confirmationLinkSeconds = 3_600;

export const idempotencyKeyMaxLength = 200;

export const apiKeyNameMaxLength = 60;
export const apiKeyReachYears = 10;
