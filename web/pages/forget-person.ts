import { dropDraft, readDraft } from "../features/onboarding/draft.ts";
import { dropPictures } from "../features/onboarding/picture-store.ts";
import { forgetInvite } from "../lib/kept-invite.ts";
import { forgetRequests } from "../lib/kept-request.ts";
import { noteMember } from "../lib/member-cookie.ts";
import { forgetWorkspace } from "../lib/last-workspace.ts";

/** What the next person at this browser must not find. Unsaved posts stay: they are kept for their writer alone. Source: specification, section 4. */
export function forgetPerson(): void {
  const draft = readDraft();
  if (draft) void dropPictures(draft.pictures);
  dropDraft();
  forgetWorkspace();
  forgetInvite();
  forgetRequests();
  noteMember([]);
}
