import { useId, useRef, useState, type ReactNode } from "react";
import { altMaxLength } from "#contract/limits.ts";
import type { ChosenCover, CoverImage } from "#contract/rules/cover.ts";
import { acceptedImages } from "../../../lib/image-rules.ts";
import { Button } from "../../../ui/button.tsx";
import { FieldFrame } from "../../../ui/field-frame.tsx";
import { Icon } from "../../../ui/icon.tsx";
import { Input } from "../../../ui/input.tsx";
import { imageProblem, uploadFailure, uploadImage } from "../../editor/upload-image.ts";
import { Row, Stack, Text } from "../../../ui/layout.tsx";
import css from "./details.module.css";

interface CoverPickerProps {
  workspaceId: string;
  cover: CoverImage;
  images: readonly ChosenCover[];
  canWrite: boolean;
  onChange(cover: CoverImage): void;
  onUpload(work: Promise<void>): Promise<void>;
}

export function CoverPicker({ workspaceId, cover, images, canWrite, onChange, onUpload }: CoverPickerProps) {
  const id = useId();
  const file = useRef<HTMLInputElement>(null);
  const [busy, setBusy] = useState(false);
  const [problem, setProblem] = useState<string | null>(null);
  const chosen = cover === null || cover === "none" ? null : cover;
  const others = images.slice(1);
  const own = chosen && !others.some(({ url }) => url === chosen.url) ? [chosen] : [];

  const upload = async (image: File) => onChange({ ...(await uploadImage(workspaceId, image)), alt: "" });
  async function add(image: File) {
    const invalid = imageProblem(image);
    setProblem(invalid);
    if (invalid) return;
    setBusy(true);
    try {
      await onUpload(upload(image));
    } catch (error) {
      setProblem(uploadFailure(error));
    } finally {
      setBusy(false);
    }
  }

  return (
    <Stack gap={2} role="group" aria-labelledby={`${id}-label`}>
      <Text strong id={`${id}-label`}>
        Cover image
      </Text>
      <Row>
        <Tile name="First image in the post" pressed={cover === null} disabled={!canWrite} onChoose={() => onChange(null)}>
          {images[0] ? <img src={images[0].url} alt="" /> : <Icon name="image" large />}
          <Text as="span" size="small" className={css.caption}>
            Automatic
          </Text>
        </Tile>
        {[...own, ...others].map((image, index) => (
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
          <Text as="span" size="small" className={css.caption}>
            None
          </Text>
        </Tile>
        {canWrite && (
          <>
            <Button icon="upload" busy={busy} onClick={() => file.current?.click()}>
              Upload
            </Button>
            <input
              ref={file}
              type="file"
              accept={acceptedImages}
              hidden
              aria-label="Cover image file"
              onChange={(event) => {
                const [image] = event.target.files ?? [];
                event.target.value = ""; // allows the same file again
                if (image) void add(image);
              }}
            />
          </>
        )}
      </Row>
      {problem && (
        <Text role="alert" tone="danger">
          {problem}
        </Text>
      )}
      {chosen && (
        <FieldFrame id={`${id}-alt`} label="Image description" optional hint="For screen readers.">
          <Input
            id={`${id}-alt`}
            readOnly={!canWrite}
            maxLength={altMaxLength}
            aria-describedby={`${id}-alt-hint`}
            value={chosen.alt}
            onChange={(event) => onChange({ ...chosen, alt: event.target.value })}
          />
        </FieldFrame>
      )}
    </Stack>
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
