import { readStored, writeStored } from "./storage.ts";

/** An invitation that is on its way through signing up, the confirmation mail or an identity provider. */
export interface KeptInvite {
  token: string;
  workspaceId: string;
}

const tokenKey = "tc:inviteToken";
const workspaceKey = "tc:inviteWorkspaceId";
const dateKey = "tc:inviteKeptAt";

/** As long as an invitation is valid unless its maker says otherwise (product decision 3). */
const keptForMs = 7 * 86_400_000;

/** What was kept in the last seven days. Whoever kept it need not be who asks: nobody may be made a member by it without being asked. */
export function keptInvite(): KeptInvite | null {
  const token = readStored("local", tokenKey);
  if (token === null) return null;
  const workspaceId = readStored("local", workspaceKey) ?? "";
  const keptAt = Number(readStored("local", dateKey));
  if (!keptAt) keepInvite({ token, workspaceId }); // kept by an older version: its days begin now
  else if (Date.now() - keptAt > keptForMs) {
    forgetInvite();
    return null;
  }
  return { token, workspaceId };
}

/** Remembers an invitation for this browser; without storage the address of the next page still carries its token. */
export function keepInvite({ token, workspaceId }: KeptInvite): void {
  writeStored("local", tokenKey, token);
  writeStored("local", workspaceKey, workspaceId);
  writeStored("local", dateKey, String(Date.now()));
}

export function forgetInvite(): void {
  writeStored("local", tokenKey, null);
  writeStored("local", workspaceKey, null);
  writeStored("local", dateKey, null);
}
