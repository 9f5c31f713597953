/** Where readers found a post before, as people write it; of one whose host nobody knows (importers/adapters/tidings.ts) the path alone. */
export const oldAddress = (url: string): string => url.replace(/^https?:\/\/(?:[^/]+\.invalid(?=\/))?/, "");
