import type { WidgetData } from "#contract/releases.ts";
import { speechOf } from "#contract/widget-speech.ts";
import { languageOf } from "../language.ts";
import { type CompleteWidgetSettings, type WidgetSettings, withDefaults } from "#contract/widget-choices.ts";
import type { PublicWorkspace } from "../queries/releases.ts";
import type { Site } from "../site.ts";
import { type Pictured, presentSummary } from "./release.ts";

export function settingsOf(workspace: PublicWorkspace): CompleteWidgetSettings {
  return withDefaults((workspace.settings ?? {}) as WidgetSettings);
}

/** The same time in expanded-year form, which sorts before all others: widgets (widget/seen.ts) treat imported posts as seen. */
const asOldNews = (time: string): string => `+00${time}`;

/** Omits what the settings turn off. */
export function presentWidgetData(workspace: PublicWorkspace, site: Site, releases: readonly Pictured[]): WidgetData {
  const settings = settingsOf(workspace);
  const { showImages, showPostAuthor, maxPosts } = settings.contentSettings;
  return {
    workspace: { name: workspace.name, url: site.absolute("/releases"), mails: workspace.mails },
    settings,
    ...speechOf({ look: workspace.appearance, fontFamily: settings.customisation.fontFamily, posts: maxPosts, file: site.file }),
    posts: releases.slice(0, maxPosts).map((release) => {
      const { id, title, slug, url, excerpt, image, author_name, published_at } = presentSummary(release, site);
      return {
        ...{ id, title, slug, url, excerpt },
        image: showImages ? image : null,
        author_name: showPostAuthor ? author_name : null,
        date: languageOf(workspace).dates.day(release.release.published_at),
        published_at: release.release.imported ? asOldNews(published_at) : published_at,
      };
    }),
  };
}

/** CORS: our public pages and the allowed origins. */
export function mayRead(origin: string, workspace: PublicWorkspace, site: Site): boolean {
  if (origin === site.origin || origin === site.belowOrigin) return true;
  return workspace.allowed_origins.some((allowed) => URL.canParse(allowed) && new URL(allowed).origin === origin);
}
