import { releasesMaxPageSize } from "#contract/limits.ts";
import { asListed } from "./contents.ts";
import { readList, wholeOf } from "./lists.tsx";
import { canonicalOf } from "./presenters/filter.ts";
import { canonicalLink, llmsIndex, markdownList } from "./presenters/markdown.ts";
import { listReleases, releaseMonths, releaseTags } from "./queries/releases.ts";
import { listParameters, type Resource, types } from "./resource.ts";

export const listMarkdown: Resource = {
  type: types.markdown,
  open: true,
  unindexed: true,
  parameters: listParameters,
  read: async (reading) => {
    const { sql, workspace, site } = reading;
    const list = await readList(reading, "page");
    if (list === null) return null;
    const contents = await wholeOf(reading, list, asListed(site.origin));
    const tags = await releaseTags(sql, workspace);
    const canonical = canonicalOf(site, list.filter, list.page, list.size);
    const headers = canonical === null ? {} : canonicalLink(canonical);
    return { text: markdownList({ ...list, workspace, site, tags, contents }), headers };
  },
};

/** At the root of the host and under /releases. */
export const llmsTxt: Resource = {
  type: types.text,
  open: true,
  unindexed: true,
  forHosts: true,
  read: async ({ sql, workspace, site }) => {
    const [{ releases }, tags, months] = await Promise.all([
      listReleases(sql, workspace.reader, { size: releasesMaxPageSize }),
      releaseTags(sql, workspace),
      releaseMonths(sql, workspace.reader),
    ]);
    return { text: llmsIndex({ workspace, site, releases, tags, months }) };
  },
};
