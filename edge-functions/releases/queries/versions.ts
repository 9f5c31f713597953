import { readDetails } from "#contract/rules/post-details.ts";
import { compareProductVersions } from "#contract/rules/product-version.ts";

/** Posts of versions after `since`, up to `until` (null: the newest). */
export interface VersionFilter {
  since: string;
  until: string | null;
  component: string | null;
}

interface Versioned {
  details: unknown;
  published_at: Date;
}

export interface Changes {
  versions: number;
  posts: number;
  breaking: number;
  security: number;
  latest: string | null;
}

const versionOf = ({ details }: Versioned): string => readDetails(details).version!;

/** Newest version first. Of releases with a version; a component matches in any case. */
export function ofVersions<Release extends Versioned>(releases: readonly Release[], { since, until, component }: VersionFilter): Release[] {
  const wanted = component?.toLowerCase();
  return releases
    .filter((release) => {
      const { version, component: own } = readDetails(release.details);
      if (version === null || compareProductVersions(version, since) <= 0) return false;
      return (until === null || compareProductVersions(version, until) <= 0) && (wanted === undefined || own?.toLowerCase() === wanted);
    })
    .toSorted((a, b) => compareProductVersions(versionOf(b), versionOf(a)) || +b.published_at - +a.published_at);
}

/** Of releases by `ofVersions`. */
export function changesIn(releases: readonly Versioned[]): Changes {
  const details = releases.map((release) => readDetails(release.details));
  const versions = details.map(({ version }) => version!);
  return {
    versions: versions.filter((version, place) => place === 0 || compareProductVersions(version, versions[place - 1]!) !== 0).length,
    posts: releases.length,
    breaking: details.filter(({ breaking }) => breaking).length,
    security: details.filter(({ security }) => security).length,
    latest: versions[0] ?? null,
  };
}
