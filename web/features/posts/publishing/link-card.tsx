import type { PostPreview } from "#contract/previews.ts";
import { Panel, Stack, Text } from "../../../ui/layout.tsx";
import { classNames } from "../../../lib/class-names.ts";
import css from "./preview.module.css";

export function LinkCard({ card }: { card: PostPreview["card"] }) {
  const { host, url, title, description, image } = card;
  return (
    <Stack gap={3} className={css.stage}>
      <Panel
        as="article"
        padding={0}
        gap={0}
        className={classNames(css.card, image?.large ? css.large : css.small)}
        aria-label="Link preview"
      >
        {image && <img className={css.image} src={ofThisOrigin(image.url)} alt={image.alt} />}
        <Stack gap={1} className={css.text}>
          <Text size="small" tone="muted">
            {host}
          </Text>
          <Text strong>{title}</Text>
          <Text tone="muted" lines={3}>
            {description}
          </Text>
        </Stack>
      </Panel>
      <Text size="small" tone="muted">
        {url}
      </Text>
      <Text size="small" tone="muted" className={css.note}>
        {image?.url.startsWith("/api/")
          ? "The exact look varies by app. The image shows the title. Add a cover or an image to replace it."
          : "The exact look varies by app."}
      </Text>
    </Stack>
  );
}

/** Stored images on this origin: the content security policy allows no other host. */
function ofThisOrigin(url: string): string {
  const path = URL.canParse(url) ? new URL(url).pathname : "";
  return path.startsWith("/storage/v1/object/public/") ? path : url;
}
