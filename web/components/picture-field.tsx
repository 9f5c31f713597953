import { useEffect, useId, useMemo, useRef, useState, type DragEvent } from "react";
import { Button } from "./button.tsx";
import { FieldFrame } from "./field-frame.tsx";
import { Icon } from "./icon.tsx";
import { classNames } from "../lib/class-names.ts";
import { acceptedPictures, pictureProblem, type PictureRules } from "../lib/picture-rules.ts";
import css from "./picture-field.module.css";

interface PictureFieldProps {
  label: string;
  rules: PictureRules;
  file?: File;
  /** Address of the picture that is there now, shown until another one is chosen. */
  current?: string | null;
  optional?: boolean;
  /** What is under way: "Uploading…". */
  working?: string;
  /** An error that was found after choosing. */
  error?: string;
  round?: boolean;
  onChoose: (file: File | undefined) => void;
  /** Takes the picture away that is there now. */
  onRemove?: () => void;
}

/** A picture: choose or drop a file, see it, take it away again. */
export function PictureField({
  label,
  rules,
  file,
  current,
  optional,
  working,
  error,
  round = false,
  onChoose,
  onRemove,
}: PictureFieldProps) {
  const id = useId();
  const [problem, setProblem] = useState<string>();
  const [over, setOver] = useState(false);
  const preview = usePreview(file) ?? current;
  const message = problem ?? error;
  const remove = file ? () => onChoose(undefined) : current ? onRemove : undefined;
  const chooser = useFocusWithout(working === undefined && !remove);

  async function take(candidate: File | undefined) {
    if (!candidate) return;
    const found = await pictureProblem(candidate, rules);
    setProblem(found ?? undefined);
    if (found === null) onChoose(candidate);
  }
  function drop(event: DragEvent) {
    event.preventDefault();
    setOver(false);
    void take(event.dataTransfer.files[0]);
  }
  function drag(event: DragEvent) {
    event.preventDefault();
    setOver(true);
  }

  return (
    <FieldFrame id={id} label={label} optional={optional} hint={rules.hint} error={message}>
      <div className={classNames(css.field, over && css.over)} onDragOver={drag} onDragLeave={() => setOver(false)} onDrop={drop}>
        <span className={classNames(css.preview, round && css.round)}>
          {preview ? <img src={preview} alt={file ? `${label}: ${file.name}` : label} /> : <Icon name="image" large />}
        </span>
        <div className={css.words}>
          <span className={css.name}>{working ?? (file ? file.name : "Drop an image here, or")}</span>
          <span className={css.actions}>
            <input
              ref={chooser}
              id={id}
              type="file"
              accept={acceptedPictures}
              className={css.input}
              aria-describedby={`${id}-hint${message ? ` ${id}-error` : ""}`}
              aria-invalid={message !== undefined}
              disabled={working !== undefined}
              onChange={(event) => {
                void take(event.target.files?.[0]);
                event.target.value = ""; // the same file may be chosen again
              }}
            />
            <span className={css.choose} aria-hidden="true">
              {preview ? "Choose another" : "Choose a file"}
            </span>
            {remove && (
              <Button
                variant="quiet"
                size="small"
                className={css.remove}
                aria-label={`Remove ${label.toLowerCase()}`}
                busy={working !== undefined}
                onClick={remove}
              >
                Remove
              </Button>
            )}
          </span>
        </div>
      </div>
    </FieldFrame>
  );
}

/** An address under which the browser shows the file while it is chosen. */
function usePreview(file: File | undefined): string | undefined {
  const url = useMemo(() => file && URL.createObjectURL(file), [file]);
  useEffect(() => () => void (url && URL.revokeObjectURL(url)), [url]);
  return url;
}

/** When there is nothing left to remove, the focus goes from that button to choosing another. */
function useFocusWithout(removed: boolean) {
  const chooser = useRef<HTMLInputElement>(null);
  const before = useRef(removed);
  useEffect(() => {
    if (removed && !before.current && document.activeElement === document.body) chooser.current?.focus();
    before.current = removed;
  }, [removed]);
  return chooser;
}
