import { useId } from "react";
import { Dialog } from "../../../ui/dialog.tsx";
import { Switch } from "../../../ui/switch.tsx";
import { setSingleKeys, useSingleKeys } from "../../../lib/single-keys.ts";
import { Row, Stack, Text } from "../../../ui/layout.tsx";
import { isMac } from "./use-shortcuts.ts";

const command = isMac ? "⌘" : "Ctrl";

type Shortcut = readonly [keys: readonly string[], meaning: string];

const single: readonly Shortcut[] = [
  [["C"], "New post"],
  [["J"], "Next post"],
  [["K"], "Previous post"],
  [["G", "D"], "Go to Dashboard"],
  [["G", "C"], "Go to Changelog"],
  [["G", "W"], "Go to Widget"],
  [["G", "A"], "Go to Analytics"],
  [["G", "T"], "Go to Team"],
  [["G", "S"], "Go to Workspace settings"],
  [["?"], "Show this list"],
];

const everywhere: readonly Shortcut[] = [
  [[command, "K"], "Search posts and commands"],
  [["Alt", "T"], "Jump to notifications"],
];

const shortcuts: readonly Shortcut[] = [
  [[command, "S"], "Save"],
  [[command, "Enter"], "Publish"],
  [[command, "\\"], "Focus mode"],
  [["Alt", "Page Down"], "Next post"],
  [["Alt", "Page Up"], "Previous post"],
  [[command, "Z"], "Undo"],
  [[command, "Shift", "Z"], "Redo"],
  [[command, "Alt", "M"], "Comment on block"],
  [["/"], "Insert block, at the start of a word"],
  [[command, "B"], "Bold"],
  [[command, "I"], "Italic"],
  [[command, "K"], "Link, with text selected"],
  [[command, "Shift", "X"], "Strikethrough"],
  [[command, "E"], "Inline code"],
  [[command, "Shift", "M"], "Highlight"],
  [[command, "D"], "Duplicate block"],
  [[":", "tada"], "Emoji, after two letters"],
  [["##", "Space"], "Heading"],
  [["-", "Space"], "Bulleted list"],
  [["1.", "Space"], "Numbered list"],
  [["[]", "Space"], "To-do list"],
  [[">", "Space"], "Quote"],
  [["```", "Enter"], "Code"],
  [["Esc"], "In code: switch to the language and back"],
  [["---", "Enter"], "Divider"],
  [["**bold**"], "Bold, as in Markdown: *italic*, `code`, ~~struck~~, ==marked=="],
  [["Alt", "Shift", "↓"], "Add table row below"],
  [["Alt", "Shift", "→"], "Add table column after"],
  [["Alt", "Shift", "Backspace"], "Delete table row"],
  [["Alt", "Shift", "Delete"], "Delete table column"],
];

/** Keyboard shortcuts. Single keys can be turned off, for people who press them by accident (WCAG 2.1.4). */
export function ShortcutsDialog({ onClose }: { onClose: () => void }) {
  const id = useId();
  const singleKeys = useSingleKeys();
  return (
    <Dialog open title="Keyboard shortcuts" width="32rem" scrolls onClose={onClose}>
      <Stack gap={6}>
        <ShortcutList name="Everywhere" shortcuts={everywhere} />
        <Row justify="between" nowrap>
          <label htmlFor={id}>Single-key shortcuts on this device</label>
          <Switch id={id} checked={singleKeys} onChange={setSingleKeys} />
        </Row>
        {singleKeys && <ShortcutList name="When you're not typing" shortcuts={single} />}
        <ShortcutList name="In the editor" shortcuts={shortcuts} />
      </Stack>
    </Dialog>
  );
}

function ShortcutList({ name, shortcuts }: { name: string; shortcuts: readonly Shortcut[] }) {
  return (
    <Stack as="section" gap={2} aria-label={name}>
      <Text as="h2" size="small" tone="muted" strong>
        {name}
      </Text>
      <Stack as="dl" gap={1}>
        {shortcuts.map(([keys, meaning]) => (
          <Row key={meaning} gap={1} nowrap style={{ minHeight: "2rem" }}>
            <Row as="dt" gap={1} style={{ flex: "none", width: "9rem" }}>
              {keys.map((key) => (
                <kbd key={key}>{key}</kbd>
              ))}
            </Row>
            <dd>{meaning}</dd>
          </Row>
        ))}
      </Stack>
    </Stack>
  );
}
