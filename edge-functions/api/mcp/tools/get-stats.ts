import { markdownLine } from "#contract/blocks/inline-to-markdown.ts";
import { readStats } from "../../v1/stats.ts";
import type { Run } from "../tool.ts";

export const getStats: Run<"get_stats"> = async ({ db, key }, range) => {
  const { posts, subscribers, views, analytics } = await readStats(db, key.workspaceId, range);
  const lines = [
    `- Posts: ${posts.published} published, ${posts.scheduled} scheduled, ${posts.draft} drafts, ${posts.archived} archived`,
    `- Subscribers: ${subscribers.active} active, ${subscribers.pending} unconfirmed, ${subscribers.paused} paused, ${subscribers.left} unsubscribed`,
    views === null ? "- Views aren't counted: the workspace has no analytics add-on" : `- Views in the last 30 days: ${views.total}`,
    ...(views?.posts ?? []).slice(0, 20).map(({ id, title, views: times }) => `  - ${times}: ${markdownLine(title)} (id: ${id})`),
    ...(analytics === null
      ? []
      : [
          `- From ${analytics.from} to ${analytics.to}: ${analytics.totals.views} views by ${analytics.totals.readers} daily readers, ` +
            `${analytics.totals.mails_sent} emails sent (previous period: ${analytics.previous.views} views)`,
        ]),
  ];
  return { text: lines.join("\n"), structured: { posts, subscribers, views, analytics } };
};
