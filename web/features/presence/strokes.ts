export type Stroke =
  | { kind: "text"; text: string }
  | { kind: "key"; init: KeyboardEventInit }
  | { kind: "paste"; data: DataTransfer }
  | { kind: "cut" };

const editing = new Set(["Enter", "Backspace", "Delete"]);
const marks = new Set(["b", "i", "u", "e", "k", "x", "m"]);

export function strokeOf(event: KeyboardEvent): Stroke | null {
  const { key, code, ctrlKey, altKey, metaKey, shiftKey } = event;
  const isText = key.length === 1 && ((!ctrlKey && !metaKey && !altKey) || event.getModifierState("AltGraph"));
  if (isText) return { kind: "text", text: key };
  const isMark = (ctrlKey || metaKey) && !altKey && marks.has(key.toLowerCase()) && hasSelectedText();
  if (!(editing.has(key) && !ctrlKey && !metaKey) && !(editing.has(key) && key !== "Enter") && !isMark) return null;
  return { kind: "key", init: { key, code, keyCode: event.keyCode, ctrlKey, altKey, metaKey, shiftKey } };
}

const hasSelectedText = (): boolean => getSelection()?.isCollapsed === false;

export function withStroke(strokes: readonly Stroke[], next: Stroke): Stroke[] {
  const last = strokes.at(-1);
  if (last?.kind !== "text") return [...strokes, next];
  const before = strokes.slice(0, -1);
  if (next.kind === "text") return [...before, { kind: "text", text: last.text + next.text }];
  if (next.kind !== "key" || next.init.key !== "Backspace" || next.init.ctrlKey || next.init.altKey) return [...strokes, next];
  const text = [...last.text].slice(0, -1).join("");
  return text === "" ? before : [...before, { kind: "text", text }];
}

export function wordsOf(strokes: readonly Stroke[]): string {
  const words = strokes.map((stroke) => {
    if (stroke.kind === "text") return stroke.text;
    if (stroke.kind === "paste") return stroke.data.getData("text/plain");
    return stroke.kind === "key" && stroke.init.key === "Enter" ? "\n" : "";
  });
  return words.join("").trim();
}

/** A copy: clipboard data is only readable during its event. */
export function copyOf(data: DataTransfer): DataTransfer {
  const copy = new DataTransfer();
  for (const type of data.types) if (type !== "Files") copy.setData(type, data.getData(type));
  for (const file of data.files) copy.items.add(file);
  return copy;
}

export async function replay(strokes: readonly Stroke[]): Promise<void> {
  for (const stroke of strokes) {
    const target = document.activeElement ?? document.body;
    if (stroke.kind === "text") document.execCommand("insertText", false, stroke.text);
    else if (stroke.kind === "cut") document.execCommand("cut");
    else if (stroke.kind === "paste") paste(target, stroke.data);
    else press(target, stroke.init);
    await new Promise((done) => setTimeout(done)); // Editor.js places its caret asynchronously
  }
}

function press(target: Element, init: KeyboardEventInit): void {
  const event = new KeyboardEvent("keydown", { ...init, bubbles: true, cancelable: true, composed: true });
  if (!target.dispatchEvent(event)) return;
  if (init.key === "Enter") document.execCommand("insertLineBreak");
  else if (init.key === "Backspace") document.execCommand("delete");
  else if (init.key === "Delete") document.execCommand("forwardDelete");
}

function paste(target: Element, data: DataTransfer): void {
  const event = new ClipboardEvent("paste", { clipboardData: data, bubbles: true, cancelable: true });
  if (target.dispatchEvent(event)) document.execCommand("insertText", false, data.getData("text/plain"));
}
