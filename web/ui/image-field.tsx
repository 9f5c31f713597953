import { useEffect, useId, useMemo, useRef, useState, type DragEvent } from "react";
import { Button } from "./button.tsx";
import { FieldFrame } from "./field-frame.tsx";
import { Icon } from "./icon.tsx";
import { Row, Stack, Text } from "./layout.tsx";
import { classNames } from "../lib/class-names.ts";
import { acceptedImages, imageProblem, type ImageRules } from "../lib/image-rules.ts";
import css from "./field.module.css";

interface ImageFieldProps {
  label: string;
  rules: ImageRules;
  file?: File;
  current?: string | null;
  optional?: boolean;
  working?: string;
  error?: string;
  round?: boolean;
  onChoose: (file: File | undefined) => void;
  onRemove?: () => void;
}

export function ImageField({ label, rules, file, current, optional, working, error, round = false, onChoose, onRemove }: ImageFieldProps) {
  const id = useId();
  const [problem, setProblem] = useState<string>();
  const [over, setOver] = useState(false);
  const preview = usePreview(file) ?? current;
  const message = problem ?? error;
  const remove = file ? () => onChoose(undefined) : current ? onRemove : undefined;
  const chooser = useFocusWithout(working === undefined && !remove);

  async function validate(candidate: File | undefined) {
    if (!candidate) return;
    const problem = await imageProblem(candidate, rules);
    setProblem(problem ?? undefined);
    if (problem === null) onChoose(candidate);
  }
  function drop(event: DragEvent) {
    event.preventDefault();
    setOver(false);
    void validate(event.dataTransfer.files[0]);
  }
  function drag(event: DragEvent) {
    event.preventDefault();
    setOver(true);
  }

  return (
    <FieldFrame id={id} label={label} optional={optional} hint={rules.hint} error={message}>
      <div className={classNames(css.image, over && css.over)} onDragOver={drag} onDragLeave={() => setOver(false)} onDrop={drop}>
        <span className={classNames(css.preview, round && css.round)}>
          {preview ? <img src={preview} alt={file ? `${label}: ${file.name}` : label} /> : <Icon name="image" large />}
        </span>
        <Stack gap={0} grow>
          <Text as="span" tone="muted" truncate>
            {working ?? (file ? file.name : "Drop an image here, or")}
          </Text>
          <Row as="span" gap={3} style={{ position: "relative" }}>
            <input
              ref={chooser}
              id={id}
              type="file"
              accept={acceptedImages}
              className={css.file}
              aria-describedby={`${id}-hint${message ? ` ${id}-error` : ""}`}
              aria-invalid={message !== undefined}
              disabled={working !== undefined}
              onChange={(event) => {
                void validate(event.target.files?.[0]);
                event.target.value = ""; // lets the same file be chosen again
              }}
            />
            <span className={css.choose} aria-hidden="true">
              {preview ? "Choose another" : "Choose file"}
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
          </Row>
        </Stack>
      </div>
    </FieldFrame>
  );
}

function usePreview(file: File | undefined): string | undefined {
  const url = useMemo(() => file && URL.createObjectURL(file), [file]);
  useEffect(() => () => void (url && URL.revokeObjectURL(url)), [url]);
  return url;
}

/** Focus: moves to the file input when the Remove button disappears. */
function useFocusWithout(removed: boolean) {
  const chooser = useRef<HTMLInputElement>(null);
  const before = useRef(removed);
  useEffect(() => {
    if (removed && !before.current && document.activeElement === document.body) chooser.current?.focus();
    before.current = removed;
  }, [removed]);
  return chooser;
}
