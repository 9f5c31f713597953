import type { z } from "zod";
import type { publicWorkspace, ReleaseAnswer, ReleaseList, ReleaseSummary } from "#contract/releases.ts";
import { readPublicDetails } from "#contract/rules/post-details.ts";
import { languageOf } from "../language.ts";
import type { Changes } from "../queries/versions.ts";
import { changesText } from "./filter.ts";
import type { PublicWorkspace, Release } from "../queries/releases.ts";
import type { Site } from "../site.ts";
import type { Picture } from "./first-image.ts";

function presentWorkspace(workspace: PublicWorkspace, site: Site): z.infer<typeof publicWorkspace> {
  return {
    name: workspace.name,
    subdomain: workspace.subdomain,
    url: site.absolute("/releases"),
    website: workspace.origin,
    logo_url: workspace.logo_url && site.file(workspace.logo_url),
  };
}

export interface Pictured {
  release: Release;
  image: Picture | null;
}

export function presentSummary({ release, image }: Pictured, site: Site): ReleaseSummary {
  return {
    id: release.id,
    title: release.title,
    slug: release.slug,
    url: site.absolute(`/releases/${release.slug}`),
    excerpt: release.excerpt,
    tags: release.tags,
    author_name: release.author_name,
    image: image && { ...image, url: site.file(image.url) },
    published_at: release.published_at.toISOString(),
    updated_at: release.updated_at.toISOString(),
    ...readPublicDetails(release.details),
  };
}

export function presentList(
  workspace: PublicWorkspace,
  site: Site,
  releases: readonly Pictured[],
  pagination: ReleaseList["pagination"],
  changes?: Changes,
): ReleaseList {
  return {
    workspace: presentWorkspace(workspace, site),
    releases: releases.map((release) => presentSummary(release, site)),
    pagination,
    ...(changes && { changes: { ...changes, text: changesText(changes, languageOf(workspace)) } }),
  };
}

export function presentRelease(
  workspace: PublicWorkspace,
  site: Site,
  release: Pictured,
  { html, text }: { html: string; text: string },
): ReleaseAnswer {
  return {
    workspace: presentWorkspace(workspace, site),
    release: {
      ...presentSummary(release, site),
      content_html: html,
      content_text: text,
    },
  };
}
