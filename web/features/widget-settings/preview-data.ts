import type { AppearanceChoices } from "#contract/appearance-choices.ts";
import { maxPostsDefault, maxPostsMax, maxPostsMin } from "#contract/limits.ts";
import type { WidgetData } from "#contract/releases.ts";
import { withDefaults } from "#contract/widget-choices.ts";
import { speechOf } from "#contract/widget-speech.ts";
import { type Language, languageIn } from "#contract/i18n/index.ts";
import type { WidgetForm } from "./form.ts";

type SamplePost = WidgetData["posts"][number];

const samples: readonly { title: string; excerpt: string; daysAgo: number; author: string; pictured?: true }[] = [
  { title: "Dark mode is here", excerpt: "Easy on the eyes after sunset.", daysAgo: 0, author: "Ada Lovelace", pictured: true },
  { title: "Exports take half the time", excerpt: "Large reports are ready while you wait.", daysAgo: 1, author: "Grace Hopper" },
  { title: "Invite your whole team", excerpt: "One link gives everyone the right role.", daysAgo: 2, author: "Ada Lovelace" },
  { title: "Search understands you", excerpt: "Names, tags and text, all in one box.", daysAgo: 9, author: "Alan Turing", pictured: true },
  { title: "Fixes and polish", excerpt: "Seventeen small fixes.", daysAgo: 23, author: "Grace Hopper" },
];

/** Five sample posts, newest first; absolute URLs. Source: specification, section 9. */
function samplePosts(picture: string, url: string, now: Date, { dates }: Language): SamplePost[] {
  return samples.map(({ title, excerpt, daysAgo, author, pictured }, index) => ({
    id: `00000000-0000-4000-8000-00000000000${index}`,
    slug: `sample-${index}`,
    title,
    url,
    excerpt,
    author_name: author,
    image: pictured ? { url: picture, alt: "" } : null,
    published_at: new Date(now.getTime() - daysAgo * 86_400_000).toISOString(),
    date: dates.day(new Date(now.getTime() - daysAgo * 86_400_000)),
  }));
}

interface Workspace {
  name: string;
  /** URL of the public page. */
  url: string;
}

/** Widget data for the form's settings with sample posts and no delay. `open`: panel state. */
export function previewData(
  form: WidgetForm,
  look: AppearanceChoices,
  workspace: Workspace,
  picture: string,
  open: boolean,
  now: Date,
): WidgetData {
  const settings = withDefaults(form);
  const { maxPosts, showPostAuthor, showImages } = settings.contentSettings;
  const postCount = maxPosts >= maxPostsMin && maxPosts <= maxPostsMax ? Math.trunc(maxPosts) : maxPostsDefault;
  return {
    workspace: { ...workspace, mails: false },
    settings: { ...settings, behaviour: { ...settings.behaviour, delay: 0, autoOpenNewPosts: open } },
    ...speechOf({ look, fontFamily: settings.customisation.fontFamily, posts: postCount, file: (path) => path }),
    ...{ placed: [], changes_url: null },
    posts: samplePosts(picture, workspace.url, now, languageIn(look))
      .slice(0, postCount)
      .map((post) => ({ ...post, author_name: showPostAuthor ? post.author_name : null, image: showImages ? post.image : null })),
  };
}
