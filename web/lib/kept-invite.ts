import { readStored, writeStored } from "./storage.ts";

/** An invitation that is on its way through signing up, the confirmation mail or an identity provider. */
export interface KeptInvite {
  token: string;
  workspaceId: string;
}

const tokenKey = "tc:inviteToken";
const workspaceKey = "tc:inviteWorkspaceId";

export function keptInvite(): KeptInvite | null {
  const token = readStored(localStorage, tokenKey);
  return token === null ? null : { token, workspaceId: readStored(localStorage, workspaceKey) ?? "" };
}

/** Remembers an invitation for this browser; without storage the address of the next page still carries its token. */
export function keepInvite({ token, workspaceId }: KeptInvite): void {
  writeStored(localStorage, tokenKey, token);
  writeStored(localStorage, workspaceKey, workspaceId);
}

export function forgetInvite(): void {
  writeStored(localStorage, tokenKey, null);
  writeStored(localStorage, workspaceKey, null);
}
