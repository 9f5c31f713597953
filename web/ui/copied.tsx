import { CopyButton } from "./copy-button.tsx";
import { Row, Text } from "./layout.tsx";

/** A value and a button that copies it. `label` completes the button's name: "Copy the secret link". */
export const Copied = ({ text, label }: { text: string; label: string }) => (
  <Row gap={2} justify="between" align="start" nowrap style={{ overflowWrap: "normal" }}>
    <Text as="code" size="code" style={{ overflowWrap: "anywhere" }}>
      {text}
    </Text>
    <span style={{ flex: "none" }}>
      <CopyButton text={text} label={label} />
    </span>
  </Row>
);
