import type { AssistantScope } from "#contract/oauth.ts";
import { scopeWords } from "../developers/scope-words.ts";

/** What each permission means to who gives it. */
export const consentWords: Readonly<Record<AssistantScope, { label: string; note: string }>> = {
  ...scopeWords,
  "posts:publish": {
    label: "Publish",
    note: "Without it nothing goes to your readers until a person publishes. With it, the assistant can publish after asking you, and mails may go out.",
  },
  "stats:read": { label: "Read numbers", note: "How often posts are read, as numbers. Nobody's addresses." },
};
