import { dropDraft, readDraft } from "../features/onboarding/draft.ts";
import { dropPictures } from "../features/onboarding/picture-store.ts";
import { clearInvite } from "../lib/stored-invite.ts";
import { clearRequests } from "../lib/stored-request.ts";
import { setMemberCookie } from "../lib/member-cookie.ts";
import { forgetWorkspace } from "../lib/last-workspace.ts";

/** Clears the previous user's local data. Unsaved posts stay, stored per user. Source: specification, section 4. */
export function clearUserData(): void {
  const draft = readDraft();
  if (draft) void dropPictures(draft.pictures);
  dropDraft();
  forgetWorkspace();
  clearInvite();
  clearRequests();
  setMemberCookie([]);
}
