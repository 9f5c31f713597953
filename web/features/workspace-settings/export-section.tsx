import { useState } from "react";
import { exportEndpoints, type PostForm } from "#contract/workspace-export.ts";
import type { Workspace } from "#contract/workspaces.ts";
import { type Choice, ChoiceGroup } from "../../ui/choice-group.tsx";
import { DownloadButton } from "../../ui/download-button.tsx";
import { Section } from "../../ui/section.tsx";
import { download } from "../../lib/api-client.ts";
import { Text } from "../../ui/layout.tsx";

type ExportFormat = PostForm | "json";

const formats: readonly Choice<ExportFormat>[] = [
  { value: "json", label: "Everything" },
  { value: "markdown", label: "Markdown" },
  { value: "changelog", label: "CHANGELOG.md" },
  { value: "feed", label: "JSON Feed" },
];

const descriptions: Record<ExportFormat, string> = {
  json: "Posts, history, suggestions, reviews, members, settings and views as one JSON file. Includes image URLs, but no secrets.",
  markdown: "A zip file with a Markdown file and images for each post, including drafts and archived posts. You can import it again.",
  changelog: "Published posts as one file in Keep a Changelog format, latest first.",
  feed: "Published posts as a JSON Feed for other tools.",
};

/** For the owner. */
export function ExportSection({ workspace }: { workspace: Workspace }) {
  const [form, setForm] = useState<ExportFormat>("json");
  return (
    <Section title="Export" text="Download your data in the format you need.">
      <ChoiceGroup legend="Export format" hideLegend choices={formats} value={form} onChange={setForm} />
      <Text tone="muted" aria-live="polite">
        {descriptions[form]}
      </Text>
      <DownloadButton {...exportWorkspace(workspace.id, form)}>Export workspace</DownloadButton>
    </Section>
  );
}

/** Props of a DownloadButton. */
export function exportWorkspace(workspaceId: string, format: ExportFormat = "json") {
  return {
    file: () => download(exportEndpoints.workspace, { params: { workspaceId }, query: { format } }),
    failure: "Couldn't export the workspace",
  };
}
