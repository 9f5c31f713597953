const stored = /\/storage\/v1\/object\/public\/post-images\/([0-9a-f-]{36})\/([\w-]+\.[a-z]+)/g;

export type ImageAddresses = Readonly<Record<string, string>>;

/** Names of a workspace's own images in rendered content. */
export const imagesIn = (text: string, workspaceId: string): string[] => [
  ...new Set([...text.matchAll(stored)].flatMap(([, folder, file = ""]) => (folder === workspaceId ? [file] : []))),
];

/** Replaces permanent addresses by those of private.image_addresses (supabase/schemas/26-reader-access.sql). */
export const withImageAddresses = (text: string, addresses: ImageAddresses): string =>
  text.replaceAll(stored, (whole, _, file: string) => addresses[file] ?? whole);
