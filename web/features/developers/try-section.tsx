import type { Workspace } from "#contract/workspaces.ts";
import { ChoiceGroup } from "../../components/choice-group.tsx";
import { useState } from "react";
import { useConfig } from "../../lib/config.ts";
import { CodeSample } from "../../components/code-sample.tsx";
import { samples } from "./samples.ts";
import css from "../../components/table-section.module.css";

/** What to paste into a pipeline, with this installation's address. */
export function TrySection({ workspace }: { workspace: Workspace }) {
  const host = useConfig()?.host ?? location.host;
  const offered = samples(`${location.protocol}//${host}`, workspace.name);
  const [form, setForm] = useState(offered[0]!.form);
  const sample = offered.find((one) => one.form === form) ?? offered[0]!;
  return (
    <section className={css.section} aria-labelledby="try">
      <header className={css.head}>
        <div>
          <h2 id="try">Try it</h2>
          <p className={css.what}>Run it twice and it is still one post: what you call the release, it is known by.</p>
        </div>
      </header>
      <ChoiceGroup
        legend="Way"
        hideLegend
        choices={offered.map(({ form, label }) => ({ value: form, label }))}
        value={form}
        onChange={setForm}
      />
      <CodeSample key={form} what={`the ${sample.label} example`} code={sample.code} />
      <p className={css.muted}>{sample.note}</p>
    </section>
  );
}
