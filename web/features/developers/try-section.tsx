import type { Workspace } from "#contract/workspaces.ts";
import { ChoiceGroup } from "../../ui/choice-group.tsx";
import { useState } from "react";
import { useConfig } from "../../lib/config.ts";
import { CodeSample } from "../../ui/code-sample.tsx";
import { Note } from "../../ui/layout.tsx";
import { ListSection } from "../../ui/list-section.tsx";
import { paths } from "../../lib/paths.ts";
import { samples } from "./samples.ts";

/** Copyable API examples with this installation's URL. */
export function TrySection({ workspace }: { workspace: Workspace }) {
  const host = useConfig()?.host ?? location.host;
  const examples = samples(`${location.protocol}//${host}`, workspace.name);
  const [form, setForm] = useState(examples[0]!.form);
  const sample = examples.find((one) => one.form === form) ?? examples[0]!;
  return (
    <ListSection
      id="try"
      title="Try it"
      text={
        <>
          Safe to re-run. The release name identifies the post, so it never creates duplicates. The{" "}
          <a href={paths.apiReference} target="_blank" rel="noreferrer">
            API reference
          </a>{" "}
          has every call.
        </>
      }
    >
      <ChoiceGroup
        legend="Example"
        hideLegend
        choices={examples.map(({ form, label }) => ({ value: form, label }))}
        value={form}
        onChange={setForm}
      />
      <CodeSample key={form} label={`the ${sample.label} example`} code={sample.code} />
      <Note>{sample.note}</Note>
    </ListSection>
  );
}
