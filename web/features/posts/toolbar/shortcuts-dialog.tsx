import { Dialog } from "../../../components/dialog.tsx";
import css from "./shortcuts-dialog.module.css";

const mac = /mac|iphone|ipad/i.test(navigator.platform);
const command = mac ? "⌘" : "Ctrl";

const shortcuts = [
  [[command, "S"], "Save"],
  [[command, "Enter"], "Publish"],
  [[command, "K"], "Search posts"],
  [[command, "Z"], "Undo"],
  [[command, "Shift", "Z"], "Redo"],
  [["?"], "This list"],
  [["/"], "Insert a block, in an empty line"],
  [[command, "B"], "Bold"],
  [[command, "I"], "Italic"],
  [[command, "K"], "Link, with text selected"],
  [[command, "Shift", "C"], "Inline code"],
  [[command, "Shift", "M"], "Highlight"],
  [["##", "Space"], "Heading"],
  [["-", "Space"], "Unordered list"],
  [["1.", "Space"], "Ordered list"],
  [["[]", "Space"], "Checklist"],
  [[">", "Space"], "Quote"],
  [["```", "Space"], "Code"],
  [["---", "Space"], "Divider"],
  [["Alt", "Shift", "↓"], "Add a table row below"],
  [["Alt", "Shift", "→"], "Add a table column after"],
  [["Alt", "Shift", "Backspace"], "Delete a table row"],
  [["Alt", "Shift", "Delete"], "Delete a table column"],
] as const;

/** What the keyboard can do. */
export function ShortcutsDialog({ onClose }: { onClose: () => void }) {
  return (
    <Dialog open title="Keyboard shortcuts" scrolls onClose={onClose}>
      <dl className={css.list}>
        {shortcuts.map(([keys, meaning]) => (
          <div key={meaning} className={css.row}>
            <dt>
              {keys.map((key) => (
                <kbd key={key} className={css.key}>
                  {key}
                </kbd>
              ))}
            </dt>
            <dd>{meaning}</dd>
          </div>
        ))}
      </dl>
    </Dialog>
  );
}
