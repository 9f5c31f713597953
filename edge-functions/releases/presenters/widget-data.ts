import type { HtmlNode } from "#contract/blocks/html-tree.ts";
import type { Language } from "#contract/i18n/index.ts";
import type { WidgetData, WidgetPost } from "#contract/releases.ts";
import { factsOf, readDetails } from "#contract/rules/post-details.ts";
import { speechOf } from "#contract/widget-speech.ts";
import { languageOf } from "../language.ts";
import { type CompleteWidgetSettings, type WidgetSettings, withDefaults } from "#contract/widget-choices.ts";
import type { PublicWorkspace, Release } from "../queries/releases.ts";
import type { Changes } from "../queries/versions.ts";
import { changesText } from "./filter.ts";
import type { Site } from "../site.ts";
import { type Pictured, presentSummary } from "./release.ts";

export function settingsOf(workspace: PublicWorkspace): CompleteWidgetSettings {
  return withDefaults((workspace.settings ?? {}) as WidgetSettings);
}

/** The same time in expanded-year form, which sorts before all others: widgets (widget/seen.ts) treat imported and old posts as seen. */
const asOldNews = (time: string): string => `+00${time}`;

interface Asked {
  now: Date;
  placed?: readonly Pictured[];
  /** Placements show now, and again once closed. */
  isPreview?: boolean;
  /** Since the reader's version; replaces the line below the title. */
  changes?: Changes | undefined;
  since?: string | null;
}

/** Omits what the settings turn off. */
export function presentWidgetData(
  workspace: PublicWorkspace,
  site: Site,
  releases: readonly Pictured[],
  { now, placed = [], isPreview = false, changes, since = null }: Asked,
): WidgetData {
  const settings = settingsOf(workspace);
  const { newFor } = settings.behaviour;
  const oldest = newFor === 0 ? -Infinity : now.getTime() - newFor * 86_400_000;
  const language = languageOf(workspace);
  const speech = speechOf({
    look: workspace.appearance,
    fontFamily: settings.customisation.fontFamily,
    posts: settings.contentSettings.maxPosts,
    file: site.file,
  });
  if (changes?.posts) speech.words.latest = changesText(changes, language);
  const { showImages, showPostAuthor, maxPosts } = settings.contentSettings;
  const listed = (release: Pictured) => {
    const { id, title, slug, url, excerpt, image, author_name, published_at } = presentSummary(release, site);
    return {
      ...{ id, title, slug, url, excerpt },
      image: showImages ? image : null,
      author_name: showPostAuthor ? author_name : null,
      date: language.dates.day(release.release.published_at),
      published_at: release.release.imported || +release.release.published_at < oldest ? asOldNews(published_at) : published_at,
    };
  };
  return {
    workspace: { name: workspace.name, url: site.absolute("/releases"), mails: workspace.mails },
    settings,
    ...speech,
    posts: releases.slice(0, maxPosts).map(listed),
    placed: placed.flatMap((release) => {
      const { button, placement } = readDetails(release.release.details);
      if (placement === null) return [];
      return { ...listed(release), button, placement: isPreview ? { ...placement, from: null, until: null, again: 0 } : placement };
    }),
    changes_url:
      since !== null && changes?.latest
        ? site.absolute(`/releases/compare/${encodeURIComponent(since)}...${encodeURIComponent(changes.latest)}`)
        : null,
  };
}

/** The panel's text with what the widget has no fields for: version and labels first, the button last. */
export function withDetails({ content }: WidgetPost, { details: stored }: Pick<Release, "details">, { words }: Language): WidgetPost {
  const details = readDetails(stored);
  const { button } = details;
  const facts = factsOf(details, words.page);
  const first: HtmlNode[] = facts.length > 0 ? [["p", {}, ["strong", {}, facts.join(" · ")]]] : [];
  const last: HtmlNode[] = button ? [["p", {}, ["a", { href: button.url }, button.text]]] : [];
  return { content: [...first, ...content, ...last] };
}

/** CORS: our public pages and the allowed origins. */
export function mayRead(origin: string, workspace: PublicWorkspace, site: Site): boolean {
  if (origin === site.origin || origin === site.belowOrigin) return true;
  return workspace.allowed_origins.some((allowed) => URL.canParse(allowed) && new URL(allowed).origin === origin);
}
