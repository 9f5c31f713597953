import type { NewInvite } from "#contract/invites.ts";
import type { NewInviteRow } from "./queries.ts";

/** `publicUrl` is the origin of the product: the link leads to its page /join. */
export const presentNewInvite = (row: NewInviteRow, publicUrl: string): NewInvite => ({
  ...row,
  url: `${publicUrl}/join?token=${row.token}`,
});
