import type { PostPreview } from "#contract/previews.ts";
import css from "./link-card.module.css";

/** What chats and social networks make of the address: from the page's own head. */
export function LinkCard({ card }: { card: PostPreview["card"] }) {
  const { host, url, title, description, image } = card;
  return (
    <div className={css.place}>
      <article className={image?.large ? css.large : css.small} aria-label="The card of a link">
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
          ? "Chats and social networks draw it in their own way. The picture is drawn from the title; a cover, or an image in the text, takes its place."
          : "Chats and social networks draw it in their own way, from these words and this image."}
      </p>
    </div>
  );
}

/** Stored images are the same at every host of the product, and this page may always show its own. */
function ofThisOrigin(url: string): string {
  const path = URL.canParse(url) ? new URL(url).pathname : "";
  return path.startsWith("/storage/v1/object/public/") ? path : url;
}
