import type { AssistantScope } from "#contract/oauth.ts";
import { scopeWords } from "../developers/scope-labels.ts";

/** What each permission means to who gives it. */
export const consentWords: Readonly<Record<AssistantScope, { label: string; note: string }>> = {
  ...scopeWords,
  "posts:read": { label: "Read posts", note: "All of them, drafts too, with your tags and your house style." },
  "posts:write": {
    label: "Write drafts",
    note: "Make and change drafts, propose changes to what is live, and ask for approval. Readers see none of it until a person says yes.",
  },
  "posts:publish": {
    label: "Publish",
    note: "Without it nothing goes to your readers until a person publishes. With it, the assistant can publish and schedule, and mails may go out. It has to ask you each time; whether it really does is up to whoever makes it.",
  },
  "stats:read": { label: "Read numbers", note: "How often posts are read and how many people subscribe. Numbers only, nobody by name." },
};
