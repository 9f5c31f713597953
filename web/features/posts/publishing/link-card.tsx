import type { PostPreview } from "#contract/previews.ts";
import css from "./link-card.module.css";

export function LinkCard({ card }: { card: PostPreview["card"] }) {
  const { host, url, title, description, image } = card;
  return (
    <div className={css.place}>
      <article className={image?.large ? css.large : css.small} aria-label="Link preview">
        {image && <img className={css.image} src={ofThisOrigin(image.url)} alt={image.alt} />}
        <div className={css.words}>
          <p className={css.host}>{host}</p>
          <p className={css.title}>{title}</p>
          <p className={css.description}>{description}</p>
        </div>
      </article>
      <p className={css.address}>{url}</p>
      <p className={css.note}>
        {image?.url.startsWith("/api/")
          ? "The exact look varies by app. The image shows the title. Add a cover or an image to replace it."
          : "The exact look varies by app."}
      </p>
    </div>
  );
}

/** Stored images on this origin: the content security policy allows no other host. */
function ofThisOrigin(url: string): string {
  const path = URL.canParse(url) ? new URL(url).pathname : "";
  return path.startsWith("/storage/v1/object/public/") ? path : url;
}
