import { bullets, code, heading, image, quote, type SeedBlock, type SeedImage, steps, table, text } from "./blocks.ts";

export interface SeedPost {
  title: string;
  tags: string[];
  state: { publishedDaysAgo: number } | "draft" | { scheduledInHours: number };
  blocks: (images: Record<"widget.webp", SeedImage>) => SeedBlock[];
}

export const seedPosts: SeedPost[] = [
  {
    title: "Tidings opens its doors",
    tags: ["feature"],
    state: { publishedDaysAgo: 61 },
    blocks: () => [
      text("With Tidings, a product team writes its changelog together, and customers read it on a public page or in the product."),
      heading("What you can use today"),
      bullets(
        "<b>A block editor</b> for headings, lists, images, code, tables and quotes.",
        "<b>A public page</b> under your own subdomain that works without JavaScript.",
        "<b>A widget</b> that shows the latest posts on your own site.",
        "<b>Roles</b> for owners, admins, editors and viewers.",
      ),
      heading("Get started"),
      steps(
        "Sign up and confirm your email address.",
        "Choose a name and a subdomain for your workspace.",
        "Write a post and publish it.",
        "Turn on <b>Public Changelog</b> on the dashboard.",
      ),
      text("That's all you need. The rest is optional."),
    ],
  },
  {
    title: "No more overwritten changes",
    tags: ["feature", "improvement"],
    state: { publishedDaysAgo: 40 },
    blocks: () => [
      text("Two people edit the same post and both save. In most tools the second save wins, and the first one is lost."),
      text(
        "In Tidings every post has a <b>version</b> number. A save names the version it's based on, and the database rejects it if that version is outdated.",
      ),
      heading("What you see"),
      text("If a colleague saved first, a dialog shows who and when, and you choose:"),
      bullets(
        "<b>Save anyway</b> keeps your text as the newest version. Theirs stays in the history.",
        "<b>Discard &amp; Refresh</b> loads their text. Yours stays on your device.",
        "<b>Cancel</b> lets you keep reading and decide later.",
      ),
      text("While the dialog is open, nothing is saved or published in the background."),
      quote("A changelog that one person has to write doesn't get written.", "From our first design note"),
    ],
  },
  {
    title: "Workspaces are isolated in the database",
    tags: ["improvement", "docs"],
    state: { publishedDaysAgo: 26 },
    blocks: () => [
      text(
        "A workspace must never see another workspace's drafts, not even through a bug in our code. So Postgres enforces the rule with row-level security for every query.",
      ),
      heading("Roles and permissions"),
      table([
        ["", "Owner", "Admin", "Editor", "Viewer"],
        ["Read posts", "yes", "yes", "yes", "yes"],
        ["Write and publish", "yes", "yes", "yes", "no"],
        ["Invite people", "yes", "yes", "no", "no"],
        ["Make the changelog public", "yes", "no", "no", "no"],
      ]),
      text(
        "Permissions are checked on every request. When you remove someone, they lose access immediately, not when their token expires.",
      ),
      code(
        'create policy "members read their workspace\'s posts"\n  on public.posts for select to authenticated\n  using (workspace_id = any (array(select private.my_workspace_ids())));',
      ),
    ],
  },
  {
    title: "A widget that respects your page",
    tags: ["feature"],
    state: { publishedDaysAgo: 12 },
    blocks: (images) => [
      text("Your customers are on your site, not on ours. The widget shows them your latest posts without getting in the way."),
      image(images["widget.webp"], "The widget's panel on a customer's page"),
      heading("What it doesn't do"),
      bullets(
        "It doesn't start before your page has loaded.",
        "It sets no cookies and doesn't track visitors.",
        "It inserts no HTML from the network, only text.",
        "It runs under a strict Content Security Policy, without <code>unsafe-inline</code>.",
        "It doesn't affect your page if our server is slow or down.",
      ),
      heading("How to install it"),
      code('<script async src="https://your-tidings.example/widget.js" data-workspace="demo"></script>'),
      text("One script and one request. A shadow root keeps your styles and ours apart."),
    ],
  },
  {
    title: "Scheduled publishing",
    tags: ["feature", "fix"],
    state: { publishedDaysAgo: 4 },
    blocks: () => [
      text("Choose a date and time, and the post is published at that minute, in your time zone."),
      text(
        "Visibility is computed when a post is read, so a restart or a slow job can't delay it. The post appears on the page, in the feeds and in the widget at the same time.",
      ),
      heading("Fixes", 3),
      bullets(
        "Scheduling a post in the past now shows a clear error.",
        "Cancelling a schedule turns the post back into a draft, with all its text.",
      ),
    ],
  },
  {
    title: "RSS, Atom and JSON feeds",
    tags: ["feature", "docs"],
    state: { publishedDaysAgo: 2 },
    blocks: () => [
      text("Subscribe to the whole changelog or to a tag. Ids and dates are stable, so fixing a typo doesn't notify readers again."),
      code("curl https://demo.your-tidings.example/releases.json"),
    ],
  },
  {
    title: "Office hours for release notes",
    tags: ["docs"],
    state: { scheduledInHours: 26 },
    blocks: () => [
      text("Bring a release note you're not sure about. We'll read it together and shorten it."),
      bullets("Every first Thursday of the month, 16:00 UTC", "Thirty minutes, no slides", "Write to hello@tidings.example for the link"),
    ],
  },
  {
    title: "Ideas for the next quarter",
    tags: ["docs"],
    state: "draft",
    blocks: () => [
      text("A draft for the team. Only workspace members can see it."),
      bullets("Single sign-on", "Translations of a post", "A roadmap beside the changelog"),
    ],
  },
];
