import { bullets, code, heading, image, quote, type SeedBlock, type SeedImage, steps, table, text } from "./blocks.ts";

export interface SeedPost {
  title: string;
  tags: string[];
  /** Hours from now for scheduled posts, days ago for published ones. */
  state: { publishedDaysAgo: number } | "draft" | { scheduledInHours: number };
  /** `images` are the uploaded files of this folder. */
  blocks: (images: Record<"widget.webp", SeedImage>) => SeedBlock[];
}

/** This product's own changelog, oldest first. */
export const seedPosts: SeedPost[] = [
  {
    title: "Tidings opens its doors",
    tags: ["feature"],
    state: { publishedDaysAgo: 61 },
    blocks: () => [
      text("Tidings is a place where a product team writes down what changed, together, and where the people who use the product read it."),
      heading("What is here on the first day"),
      bullets(
        "<b>A block editor</b> for headings, lists, images, code, tables and quotes.",
        "<b>A public page</b> under your own subdomain that works without a single script.",
        "<b>A widget</b> that shows the latest posts on your own site.",
        "<b>Roles</b> for owners, admins, editors and viewers.",
      ),
      heading("How to begin"),
      steps(
        "Sign up and confirm your email address.",
        "Give your workspace a name and a subdomain.",
        "Write a post and publish it.",
        "Turn on <b>Public Changelog</b> on the dashboard.",
      ),
      text("That is all. Everything else can wait until you need it."),
    ],
  },
  {
    title: "A save that cannot overwrite a colleague",
    tags: ["feature", "improvement"],
    state: { publishedDaysAgo: 40 },
    blocks: () => [
      text(
        "Two people open the same post. Both change it. Both save. In most tools the second save wins and the first one is simply gone.",
      ),
      text(
        "In Tidings every post carries a <b>version</b>, a whole number that grows with each change. A save says which version it started from, and the database takes it only if that is still the current one.",
      ),
      heading("What you see"),
      text("If a colleague was faster, a dialog tells you who it was and when, and leaves the choice to you:"),
      bullets(
        "<b>Save anyway</b> keeps your text as the newest version. Theirs stays in the history.",
        "<b>Discard &amp; Refresh</b> loads their text. Yours stays on your device.",
        "<b>Cancel</b> lets you go on reading and decide later.",
      ),
      text("While the dialog is open nothing is sent in the background: no autosave, no queued save, no publish."),
      quote("A changelog is written by several people or it is written by nobody.", "From our first design note"),
    ],
  },
  {
    title: "Each tenant on its own, proven in the database",
    tags: ["improvement", "docs"],
    state: { publishedDaysAgo: 26 },
    blocks: () => [
      text(
        "A workspace must never see another one's drafts, not even when somebody writes a query that we did not think of. So the rule does not live in our application code; it lives in Postgres, as row-level security, and holds for every way in.",
      ),
      heading("Who may do what"),
      table([
        ["", "Owner", "Admin", "Editor", "Viewer"],
        ["Read posts", "yes", "yes", "yes", "yes"],
        ["Write and publish", "yes", "yes", "yes", "no"],
        ["Invite people", "yes", "yes", "no", "no"],
        ["Make the changelog public", "yes", "no", "no", "no"],
      ]),
      text(
        "Membership is read at every request. Somebody who is removed from a team is out with the next click, not when a token expires.",
      ),
      code(
        'create policy "members read their workspace\'s posts"\n  on public.posts for select to authenticated\n  using (workspace_id = any (array(select private.my_workspace_ids())));',
      ),
    ],
  },
  {
    title: "A widget that minds its manners",
    tags: ["feature"],
    state: { publishedDaysAgo: 12 },
    blocks: (images) => [
      text(
        "Your customers are on your site, not on ours. The widget brings the latest posts to them, and it was built as a guest: it takes nothing that is not offered.",
      ),
      image(images["widget.webp"], "The widget's panel on a customer's page"),
      heading("What it does not do"),
      bullets(
        "It does not start before your page has finished loading.",
        "It sets no cookie and follows nobody.",
        "It inserts no markup from the network: every word is set as text.",
        "It runs under a strict Content Security Policy, without <code>unsafe-inline</code>.",
        "If our server is slow or away, your page does not notice.",
      ),
      heading("How to install it"),
      code('<script async src="https://your-tidings.example/widget.js" data-workspace="demo"></script>'),
      text("One script, one request for data, and a shadow root so that your styles and ours never meet."),
    ],
  },
  {
    title: "Posts that publish themselves, on time",
    tags: ["feature", "fix"],
    state: { publishedDaysAgo: 4 },
    blocks: () => [
      text("Choose a date and a time, and the post goes out at that minute, in your time zone."),
      text(
        "Whether a post is visible is computed when it is read. A restart, a slow job or a quiet night cannot delay it: from its minute on the post is on the page, in the feeds and in the widget, all at once.",
      ),
      heading("Fixed along the way", 3),
      bullets(
        "Scheduling for a moment that has already passed is refused with a clear sentence.",
        "Cancelling a schedule returns the post to a draft and keeps every word.",
      ),
    ],
  },
  {
    title: "Feeds for every kind of reader",
    tags: ["feature", "docs"],
    state: { publishedDaysAgo: 2 },
    blocks: () => [
      text(
        "RSS, Atom and JSON Feed for the whole changelog and for each tag, with stable ids and honest dates: a corrected typo does not notify everybody again.",
      ),
      code("curl https://demo.your-tidings.example/releases.json"),
    ],
  },
  {
    title: "Office hours for release notes",
    tags: ["docs"],
    state: { scheduledInHours: 26 },
    blocks: () => [
      text("Bring a release note that you are not sure about. We read it together and make it shorter."),
      bullets("Every first Thursday of the month, 16:00 UTC", "Thirty minutes, no slides", "Write to hello@tidings.example for the link"),
    ],
  },
  {
    title: "What we are thinking about next",
    tags: ["docs"],
    state: "draft",
    blocks: () => [
      text("A draft for the team. Nobody outside the workspace can see it."),
      bullets("Single sign-on", "Translations of a post", "A roadmap beside the changelog"),
    ],
  },
];
