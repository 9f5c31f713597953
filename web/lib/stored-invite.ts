import { readStored, writeStored } from "./storage.ts";

/** An invitation stored across sign-up, the confirmation email or an identity provider. */
export interface StoredInvite {
  token: string;
  workspaceId: string;
}

const tokenKey = "tc:inviteToken";
const workspaceKey = "tc:inviteWorkspaceId";
const dateKey = "tc:inviteKeptAt";

/** Default lifetime of an invitation (product decision 3). */
const lifetimeMs = 7 * 86_400_000;

/** Possibly stored by another user of this browser, so it must be confirmed before joining. */
export function storedInvite(): StoredInvite | null {
  const token = readStored("local", tokenKey);
  if (token === null) return null;
  const workspaceId = readStored("local", workspaceKey) ?? "";
  const storedAt = Number(readStored("local", dateKey));
  if (!storedAt) storeInvite({ token, workspaceId }); // stored by an older version, without a date
  else if (Date.now() - storedAt > lifetimeMs) {
    clearInvite();
    return null;
  }
  return { token, workspaceId };
}

/** Without storage, the next page's URL still carries the token. */
export function storeInvite({ token, workspaceId }: StoredInvite): void {
  writeStored("local", tokenKey, token);
  writeStored("local", workspaceKey, workspaceId);
  writeStored("local", dateKey, String(Date.now()));
}

export function clearInvite(): void {
  writeStored("local", tokenKey, null);
  writeStored("local", workspaceKey, null);
  writeStored("local", dateKey, null);
}
