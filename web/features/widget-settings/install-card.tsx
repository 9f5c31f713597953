import { useState } from "react";
import { Link } from "react-router-dom";
import useSWR from "swr";
import { z } from "zod";
import type { Workspace } from "#contract/workspaces.ts";
import { paths } from "../../lib/paths.ts";
import { CodeSample } from "../../ui/code-sample.tsx";
import { useConfig } from "../../lib/config.ts";
import { type Snippet, snippets, type WidgetBuild } from "./snippets.ts";
import { Note, Row, Stack } from "../../ui/layout.tsx";
import { SelectRow } from "../../ui/select.tsx";

/** Install snippets for different sites. */
export function InstallCard({ workspace }: { workspace: Workspace }) {
  const host = useConfig()?.host ?? location.host;
  const build = useWidgetBuild();
  const options = snippets({ origin: `${location.protocol}//${host}`, subdomain: workspace.subdomain, build });
  const [form, setForm] = useState<Snippet["form"]>("script");
  const snippet = options.find((one) => one.form === form) ?? options[0]!;

  return (
    <Stack as="section" gap={3} aria-labelledby="install">
      <Row gap={3} justify="between">
        <h2 id="install">Install snippet</h2>
        <SelectRow
          label="Install with"
          hideLabel
          value={snippet.form}
          options={options.map(({ form, label }) => [form, label] as const)}
          onChange={setForm}
        />
      </Row>
      <CodeSample key={snippet.form} wraps label={`${snippet.label} snippet`} copies={`the ${snippet.label} snippet`} code={snippet.code} />
      <Note>{snippet.note}</Note>
      {!workspace.public_changelog_enabled && (
        <Note>
          The widget appears once the public changelog is on. The owner can turn it on in the{" "}
          <Link to={paths.dashboard(workspace.id)}>dashboard</Link>.
        </Note>
      )}
    </Stack>
  );
}

const description = z.object({ script: z.object({ file: z.string(), integrity: z.string() }) });

/** File and integrity of the released widget; undefined while loading. */
function useWidgetBuild(): WidgetBuild | undefined {
  return useSWR("/widget.json", read, { revalidateOnFocus: false, shouldRetryOnError: false }).data;
}

async function read(address: string): Promise<WidgetBuild> {
  return description.parse(await (await fetch(address)).json());
}
