import { useState } from "react";
import { ChoiceGroup } from "../../components/choice-group.tsx";
import { useConfig } from "../../lib/config.ts";
import { CodeSample } from "../../components/code-sample.tsx";
import { waysToConnect } from "./ways.ts";
import css from "./assistants.module.css";

/** What to paste where, with this installation's address. */
export function WaysToConnect() {
  const host = useConfig()?.host ?? location.host;
  const offered = waysToConnect(`${location.protocol}//${host}/api/mcp`);
  const [chosen, setChosen] = useState(offered[0]!.way);
  const { way, label, text, code, note } = offered.find((one) => one.way === chosen) ?? offered[0]!;
  return (
    <div className={css.ways}>
      <ChoiceGroup
        legend="Assistant"
        hideLegend
        choices={offered.map(({ way, label }) => ({ value: way, label }))}
        value={way}
        onChange={setChosen}
      />
      <p>{text}</p>
      <CodeSample key={way} what={`what ${label} needs`} code={code} />
      <p className={css.muted}>
        {note} {way !== "other" && "You are asked in which workspace it works and what it may do."}
      </p>
    </div>
  );
}
