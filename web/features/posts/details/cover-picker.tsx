import { useId, useRef, useState, type ReactNode } from "react";
import { altMaxLength } from "#contract/limits.ts";
import type { ChosenCover, CoverImage } from "#contract/rules/cover.ts";
import { Button } from "../../../components/button.tsx";
import { FieldFrame } from "../../../components/field-frame.tsx";
import { Icon } from "../../../components/icon.tsx";
import { Input } from "../../../components/input.tsx";
import { imageProblem, uploadFailure, uploadImage } from "../editor/upload-image.ts";
import css from "./cover-picker.module.css";

interface CoverPickerProps {
  workspaceId: string;
  cover: CoverImage;
  /** Those of the text, in order. */
  images: readonly ChosenCover[];
  canWrite: boolean;
  onChange(cover: CoverImage): void;
  /** An image is on its way as long as `work` is. */
  onUpload(work: Promise<void>): Promise<void>;
}

/** The image that a post is known by: the first of the text, another of them, one of its own, or none. */
export function CoverPicker({ workspaceId, cover, images, canWrite, onChange, onUpload }: CoverPickerProps) {
  const id = useId();
  const file = useRef<HTMLInputElement>(null);
  const [busy, setBusy] = useState(false);
  const [problem, setProblem] = useState<string | null>(null);
  const chosen = cover === null || cover === "none" ? null : cover;
  const own = chosen && !images.some(({ url }) => url === chosen.url) ? [chosen] : [];

  const upload = async (picture: File) => onChange({ ...(await uploadImage(workspaceId, picture)), alt: "" });
  async function add(picture: File) {
    const found = imageProblem(picture);
    setProblem(found);
    if (found) return;
    setBusy(true);
    try {
      await onUpload(upload(picture));
    } catch (error) {
      setProblem(uploadFailure(error));
    } finally {
      setBusy(false);
    }
  }

  return (
    <div role="group" aria-labelledby={`${id}-label`}>
      <p id={`${id}-label`} className={css.label}>
        Cover image
      </p>
      <div className={css.tiles}>
        <Tile name="The first image of the text" pressed={cover === null} disabled={!canWrite} onChoose={() => onChange(null)}>
          {images[0] ? <img src={images[0].url} alt="" /> : <Icon name="image" large />}
          <span className={css.mark}>Automatic</span>
        </Tile>
        {[...own, ...images.slice(1)].map((image, index) => (
          <Tile
            key={image.url}
            name={image.alt || `Image ${index + 1}`}
            pressed={chosen?.url === image.url}
            disabled={!canWrite}
            onChoose={() => onChange(image)}
          >
            <img src={image.url} alt="" />
          </Tile>
        ))}
        <Tile name="No cover image" pressed={cover === "none"} disabled={!canWrite} onChoose={() => onChange("none")}>
          <Icon name="times" large />
          <span className={css.mark}>None</span>
        </Tile>
        {canWrite && (
          <>
            <Button className={css.upload} icon="upload" busy={busy} onClick={() => file.current?.click()}>
              Upload
            </Button>
            <input
              ref={file}
              type="file"
              accept="image/png,image/jpeg,image/webp,image/gif"
              hidden
              aria-label="Cover image file"
              onChange={(event) => {
                const [picture] = event.target.files ?? [];
                event.target.value = ""; // the same file may be taken again
                if (picture) void add(picture);
              }}
            />
          </>
        )}
      </div>
      {problem && (
        <p role="alert" className={css.problem}>
          {problem}
        </p>
      )}
      {chosen && (
        <div className={css.alt}>
          <FieldFrame id={`${id}-alt`} label="Description of the image" optional hint="For readers who do not see it.">
            <Input
              id={`${id}-alt`}
              readOnly={!canWrite}
              maxLength={altMaxLength}
              aria-describedby={`${id}-alt-hint`}
              value={chosen.alt}
              onChange={(event) => onChange({ ...chosen, alt: event.target.value })}
            />
          </FieldFrame>
        </div>
      )}
    </div>
  );
}

interface TileProps {
  name: string;
  pressed: boolean;
  disabled: boolean;
  onChoose(): void;
  children: ReactNode;
}

function Tile({ name, pressed, disabled, onChoose, children }: TileProps) {
  return (
    <button type="button" className={css.tile} aria-label={name} title={name} aria-pressed={pressed} disabled={disabled} onClick={onChoose}>
      {children}
    </button>
  );
}
