/** Numbers of imports, apart from the calls: who reads files needs no schema for it. */

/** Entries that one import has at most. */
export const importMaxEntries = 10_000;
export const oldUrlsPerPost = 10;
export const importNameMaxLength = 200;

/** What our own export calls itself (../workspace-export.ts). */
export const exportFormat = "tidings-workspace-1";
