import { htmlTree } from "#contract/blocks/html-tree.ts";
import type { CleanedContent } from "#contract/blocks/schema.ts";
import { blocksToHtml } from "#contract/blocks/to-html.ts";
import type { WidgetData, WidgetPost } from "#contract/releases.ts";
import { type CompleteWidgetSettings, widgetSettings, withDefaults } from "#contract/widget-settings.ts";
import type { PublicWorkspace, Release } from "../queries/releases.ts";
import type { Site } from "../site.ts";
import { presentSummary } from "./release.ts";

/** A workspace's settings with every default; settings that are not understood count as none. */
export function settingsOf(workspace: PublicWorkspace): CompleteWidgetSettings {
  return withDefaults(widgetSettings.safeParse(workspace.settings).data ?? {});
}

/** What the widget of a workspace shows; what its settings switch off is not sent. */
export function presentWidgetData(workspace: PublicWorkspace, site: Site, releases: readonly Release[]): WidgetData {
  const settings = settingsOf(workspace);
  const { showImages, showPostAuthor, maxPosts } = settings.contentSettings;
  return {
    workspace: { name: workspace.name, url: site.absolute("/releases") },
    settings,
    posts: releases.slice(0, maxPosts).map((release) => {
      const { tags: _tags, updated_at: _updated, image, author_name, ...post } = presentSummary(release, site);
      return { ...post, image: showImages ? image : null, author_name: showPostAuthor ? author_name : null };
    }),
  };
}

/**
 * A post as the widget shows it in its panel: a tree, because its host's page may forbid to parse HTML. The marks of a list stand where its
 * letters begin.
 */
export function presentWidgetPost(content: CleanedContent, site: Site): WidgetPost {
  return { content: htmlTree(blocksToHtml(content, { base: site.origin }).replace(/<[uo]l/g, '$& dir="auto"')) };
}

/** Whether a page of this origin may read the widget's data: the workspace's own public page and its allowed origins, nobody else. */
export function mayRead(origin: string, workspace: PublicWorkspace, site: Site): boolean {
  return origin === site.origin || workspace.allowed_origins.some((allowed) => URL.canParse(allowed) && new URL(allowed).origin === origin);
}
