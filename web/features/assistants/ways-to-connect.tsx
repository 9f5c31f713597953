import { useState } from "react";
import { ChoiceGroup } from "../../ui/choice-group.tsx";
import { useConfig } from "../../lib/config.ts";
import { CodeSample } from "../../ui/code-sample.tsx";
import { Note, Stack } from "../../ui/layout.tsx";
import { waysToConnect } from "./ways.ts";

/** Setup instructions with this installation's URL. */
export function WaysToConnect() {
  const host = useConfig()?.host ?? location.host;
  const options = waysToConnect(`${location.protocol}//${host}/api/mcp`);
  const [chosen, setChosen] = useState(options[0]!.way);
  const { way, label, text, code, note } = options.find((one) => one.way === chosen) ?? options[0]!;
  return (
    <Stack gap={3}>
      <ChoiceGroup
        legend="Assistant"
        hideLegend
        choices={options.map(({ way, label }) => ({ value: way, label }))}
        value={way}
        onChange={setChosen}
      />
      <p>{text}</p>
      <CodeSample key={way} label={`the ${label} configuration`} code={code} />
      <Note>
        {note} {way !== "other" && "You'll choose its workspace and permissions."}
      </Note>
    </Stack>
  );
}
