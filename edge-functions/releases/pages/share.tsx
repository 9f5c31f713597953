/** @jsxImportSource preact */
import type { Language } from "#contract/i18n/index.ts";

export function Share({ url, title, language }: { url: string; title: string; language: Language }) {
  const { page: words } = language.words;
  const places = [
    ["X", `https://x.com/intent/post?${new URLSearchParams({ text: title, url })}`],
    ["LinkedIn", `https://www.linkedin.com/sharing/share-offsite/?${new URLSearchParams({ url })}`],
  ] as const;
  return (
    <nav className="share" aria-label={words.share} dir={language.dir}>
      <span className="address" dir="ltr">
        {url}
      </span>
      <ul>
        {places.map(([place, address]) => (
          <li key={place}>
            <a href={address} rel="noopener nofollow" aria-label={words.shareOn(place)}>
              {place}
            </a>
          </li>
        ))}
        <li>
          <a href={`mailto:?subject=${encodeURIComponent(title)}&body=${encodeURIComponent(url)}`}>{words.shareByMail}</a>
        </li>
      </ul>
    </nav>
  );
}
