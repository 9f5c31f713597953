import { useState } from "react";
import { exportEndpoints, type PostForm } from "#contract/workspace-export.ts";
import type { Workspace } from "#contract/workspaces.ts";
import { type Choice, ChoiceGroup } from "../../components/choice-group.tsx";
import { DownloadButton } from "../../components/download-button.tsx";
import { Section } from "../../components/section.tsx";
import { download } from "../../lib/api-client.ts";
import css from "./settings.module.css";

type Form = PostForm | "json";

const forms: readonly Choice<Form>[] = [
  { value: "json", label: "Everything" },
  { value: "markdown", label: "Markdown" },
  { value: "changelog", label: "CHANGELOG.md" },
  { value: "feed", label: "JSON Feed" },
];

const words: Record<Form, string> = {
  json: "Posts, history, change proposals, reviews, members, settings and views as one JSON file; images by their addresses, secrets not at all.",
  markdown:
    "A zip with a Markdown file for each post, drafts and archived ones too, and their images beside them. It can be imported again.",
  changelog: "Published posts as one file in the form of Keep a Changelog, latest first.",
  feed: "Published posts whole, as one JSON Feed that other products read.",
};

/** For the owner: what the workspace holds, to keep or to take elsewhere. */
export function ExportSection({ workspace }: { workspace: Workspace }) {
  const [form, setForm] = useState<Form>("json");
  return (
    <Section title="Export" text="What is here is yours: take it along in the form that you need.">
      <ChoiceGroup legend="What to export" hideLegend choices={forms} value={form} onChange={setForm} />
      <p className={css.note} aria-live="polite">
        {words[form]}
      </p>
      <DownloadButton {...exportWorkspace(workspace.id, form)}>Export workspace</DownloadButton>
    </Section>
  );
}

/** What a DownloadButton needs to export a workspace. */
export function exportWorkspace(workspaceId: string, format: Form = "json") {
  return {
    file: () => download(exportEndpoints.workspace, { params: { workspaceId }, query: { format } }),
    failure: "The workspace could not be exported",
  };
}
