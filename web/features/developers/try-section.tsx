import type { Workspace } from "#contract/workspaces.ts";
import { ChoiceGroup } from "../../ui/choice-group.tsx";
import { useState } from "react";
import { useConfig } from "../../lib/config.ts";
import { CodeSample } from "../../ui/code-sample.tsx";
import { samples } from "./samples.ts";
import css from "../../ui/table-section.module.css";

/** Copyable API examples with this installation's URL. */
export function TrySection({ workspace }: { workspace: Workspace }) {
  const host = useConfig()?.host ?? location.host;
  const examples = samples(`${location.protocol}//${host}`, workspace.name);
  const [form, setForm] = useState(examples[0]!.form);
  const sample = examples.find((one) => one.form === form) ?? examples[0]!;
  return (
    <section className={css.section} aria-labelledby="try">
      <header className={css.head}>
        <div>
          <h2 id="try">Try it</h2>
          <p className={css.what}>Safe to re-run. The release name identifies the post, so it never creates duplicates.</p>
        </div>
      </header>
      <ChoiceGroup
        legend="Example"
        hideLegend
        choices={examples.map(({ form, label }) => ({ value: form, label }))}
        value={form}
        onChange={setForm}
      />
      <CodeSample key={form} label={`the ${sample.label} example`} code={sample.code} />
      <p className={css.muted}>{sample.note}</p>
    </section>
  );
}
