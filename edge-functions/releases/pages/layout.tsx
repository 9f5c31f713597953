/** @jsxImportSource preact */
import type { ComponentChildren } from "preact";
import { isPrivate } from "#contract/rules/reader-access.ts";
import { languageOf, ourLanguage } from "../language.ts";
import type { PublicWorkspace } from "../queries/releases.ts";
import type { Site } from "../site.ts";
import { fontFiles } from "#contract/font-files.ts";
import { defaultAppearance } from "#contract/appearance-choices.ts";
import type { Picture } from "../presenters/first-image.ts";
import { indexOf } from "../presenters/markdown.ts";
import { ourStyle, type Style, styleFor, wideEnough } from "./style.ts";

export interface About {
  title: string;
  description: string;
  canonical: string | null;
  markdown?: string;
  image?: Picture | null;
  tag?: string | null;
  published?: Date;
  data?: object;
}

interface Branded {
  workspace: PublicWorkspace;
  site: Site;
  isPreview?: boolean;
  isNear?: boolean;
  /** The changelog is off, so links to its pages are left out. */
  isClosed?: boolean;
  /** Offers a subscription, if the workspace sends emails. */
  canSubscribe?: boolean;
}

interface LayoutProps {
  about: About;
  branded: Branded | null;
  notice?: ComponentChildren;
  style?: Style;
  children: ComponentChildren;
}

export function Layout({ about, branded, notice, style: more, children }: LayoutProps) {
  const style = branded ? styleFor(branded.workspace.appearance) : ourStyle;
  const { locale, dir, words } = branded ? languageOf(branded.workspace) : ourLanguage;
  return (
    <html lang={locale} dir={dir} className={branded?.isNear ? "near" : undefined}>
      <head>
        <meta charSet="utf-8" />
        {branded?.isPreview && <base target="_blank" />}
        <meta name="viewport" content="width=device-width, initial-scale=1" />
        {branded && <Typeface {...branded} />}
        <title>{about.title}</title>
        <meta name="description" content={about.description} />
        {about.canonical === null ? (
          <meta name="robots" content="noindex" />
        ) : (
          <Indexed about={about} canonical={about.canonical} branded={branded} />
        )}
        {branded && about.markdown !== undefined && (
          <>
            <link rel="alternate" type="text/markdown" href={about.markdown} />
            <link rel="describedby" href={indexOf(branded.site)} />
          </>
        )}
        <style dangerouslySetInnerHTML={{ __html: style.text }} />
        {more && <style dangerouslySetInnerHTML={{ __html: more.text }} />}
      </head>
      <body>
        <a className="skip" href="#content">
          {words.page.skip}
        </a>
        {notice}
        {branded && <Masthead {...branded} />}
        <main id="content">{children}</main>
        <Foot branded={branded} />
        {branded && !branded.isNear && !branded.isPreview && branded.workspace.appearance.font !== "system" && (
          <span className="later" aria-hidden="true">
            a
          </span>
        )}
      </body>
    </html>
  );
}

/** Preloads the font except for Japanese and Arabic, which use the system's. */
function Typeface({ workspace: { appearance }, isNear = false }: Branded) {
  const { font, locale } = appearance;
  const [file] = font === "system" || locale === "ja" || locale === "ar" ? [] : fontFiles[font];
  if (file === undefined) return null;
  return <link rel="preload" as="font" type="font/woff2" href={file.url} crossOrigin="anonymous" media={isNear ? undefined : wideEnough} />;
}

function Indexed({ about, canonical, branded }: { about: About; canonical: string; branded: Branded | null }) {
  const image = about.image ?? null;
  return (
    <>
      <link rel="canonical" href={canonical} />
      <meta property="og:type" content={about.published ? "article" : "website"} />
      <meta property="og:title" content={about.title} />
      <meta property="og:description" content={about.description} />
      <meta property="og:url" content={canonical} />
      {image && <PreviewImage {...image} />}
      {about.published && <meta property="article:published_time" content={about.published.toISOString()} />}
      <meta name="twitter:card" content={image ? "summary_large_image" : "summary"} />
      {branded && <Alternates {...branded} tag={about.tag ?? null} />}
      {about.data && (
        <script type="application/ld+json" dangerouslySetInnerHTML={{ __html: JSON.stringify(about.data).replaceAll("<", "\\u003c") }} />
      )}
    </>
  );
}

function PreviewImage({ url, alt, width, height }: NonNullable<About["image"]>) {
  return (
    <>
      <meta property="og:image" content={url} />
      {width && <meta property="og:image:width" content={String(width)} />}
      {height && <meta property="og:image:height" content={String(height)} />}
      {alt && <meta property="og:image:alt" content={alt} />}
    </>
  );
}

function Alternates({ tag, ...branded }: Branded & { tag: string | null }) {
  const { workspace, site } = branded;
  const { favicon_url } = workspace.appearance;
  const icon = favicon_url ?? workspace.logo_url ?? site.path("/releases/icon.svg");
  const touch = workspace.logo_url ?? favicon_url;
  return (
    <>
      <meta property="og:site_name" content={workspace.name} />
      <link rel="alternate" type="application/rss+xml" title={workspace.name} href={feedPath(branded, "/releases/rss.xml", tag)} />
      <link rel="alternate" type="application/atom+xml" title={workspace.name} href={feedPath(branded, "/releases/atom.xml", tag)} />
      <link rel="alternate" type="application/feed+json" title={workspace.name} href={feedPath(branded, "/releases.feed.json", tag)} />
      <link rel="icon" href={icon} />
      {touch && <link rel="apple-touch-icon" href={touch} />}
    </>
  );
}

function Masthead({ workspace, site, isClosed = false, canSubscribe = false }: Branded) {
  const { appearance } = workspace;
  const { words } = languageOf(workspace);
  const website = workspace.origin !== null && URL.canParse(workspace.origin) ? new URL(workspace.origin) : null;
  return (
    <header className="masthead">
      <div className="wrap">
        <a className="brand" href={isClosed ? undefined : site.path("/releases")}>
          <Logo {...{ workspace }} />
          <span dir="auto">{workspace.name}</span>
        </a>
        {appearance.links.length > 0 ? (
          <nav className="links" aria-label={words.page.links}>
            <ul>
              {appearance.links.map(({ label, url }, index) => (
                <li key={index}>
                  <a href={url} dir="auto">
                    {label}
                  </a>
                </li>
              ))}
            </ul>
          </nav>
        ) : (
          website && (
            <a className="website" href={website.href}>
              {website.host} <span aria-hidden="true">↗</span>
            </a>
          )
        )}
        {canSubscribe && workspace.mails && (
          <a className="button" href={site.path("/releases/subscribe.html")}>
            {words.subscription.subscribe}
          </a>
        )}
      </div>
    </header>
  );
}

/** Feed readers have no cookies: the reader's key is part of a private feed's address. */
function feedPath({ workspace: { reader }, site }: Branded, path: string, tag: string | null = null): string {
  return site.path(path, { tag, key: reader.split("~")[1] ?? null });
}

/** Dark variant by the chosen theme or the reader's system. */
function Logo({ workspace: { logo_url, appearance } }: Pick<Branded, "workspace">) {
  const light = logo_url ?? appearance.logo_dark_url;
  const dark = appearance.logo_dark_url ?? logo_url;
  if (light === null || dark === null) return null;
  const image = <img src={appearance.theme === "dark" ? dark : light} alt="" width="36" height="36" />;
  if (appearance.theme !== "system" || light === dark) return image;
  return (
    <picture>
      <source media="(prefers-color-scheme: dark)" srcSet={dark} />
      {image}
    </picture>
  );
}

function Foot({ branded }: { branded: Branded | null }) {
  const { words } = branded ? languageOf(branded.workspace) : ourLanguage;
  const { footer, branding } = branded ? branded.workspace.appearance : defaultAppearance;
  return (
    <footer className="foot">
      <div className="wrap">
        {branded && !branded.isClosed ? (
          <ul>
            <li>
              <a href={feedPath(branded, "/releases/rss.xml")}>RSS</a>
            </li>
            <li>
              <a href={feedPath(branded, "/releases/atom.xml")}>Atom</a>
            </li>
            <li>
              <a href={feedPath(branded, "/releases.feed.json")}>JSON Feed</a>
            </li>
          </ul>
        ) : (
          <span />
        )}
        {footer !== "" && (
          <p className="line">
            <bdi>{footer}</bdi>
          </p>
        )}
        {branded && !branded.isClosed && isPrivate(branded.workspace.access) && (
          <form method="post" action={branded.site.path("/releases/access")}>
            <button className="plain" type="submit" name="action" value="leave">
              {words.access.leave}
            </button>
          </form>
        )}
        {branding && <span>{words.page.publishedWith("Tidings")}</span>}
      </div>
    </footer>
  );
}
