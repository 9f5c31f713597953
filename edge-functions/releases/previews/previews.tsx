/** @jsxImportSource preact */
import type { VNode } from "preact";
import { blockId } from "#contract/blocks/limits.ts";
import { errorCatalogue } from "#contract/errors.ts";
import { type Rate, rateLimits, scaledSize } from "#contract/rate-limits.ts";
import { readCover } from "#contract/rules/cover.ts";
import { hashOfPreviewToken, isPreviewToken, previewPath } from "#contract/rules/preview-token.ts";
import { defaultTagsIn, type Words } from "#contract/i18n/index.ts";
import { clientAddress } from "../../_shared/client-address.ts";
import { sealImages } from "../images.ts";
import { languageOf } from "../language.ts";
import { ReleasePage } from "../pages/release-page.tsx";
import { renderPage } from "../pages/render.tsx";
import type { Sql } from "../queries/database.ts";
import { findWorkspace, getRelease, type PublicWorkspace } from "../queries/releases.ts";
import { types } from "../resource.ts";
import { presentWidgetData } from "../presenters/widget-data.ts";
import { pageHeaders } from "../security-headers.ts";
import type { Site } from "../site.ts";
import { readForm } from "../subscriptions/form.ts";
import { comesFromHere, type Faults, faultsOf, nothingTyped, type Typed, typedIn } from "./comment-form.ts";
import { Comments, withPlaces } from "./comments.tsx";
import { DraftNotice, NoPreviewPage, TooOftenPage } from "./pages.tsx";
import type { PreviewPlace } from "./places.ts";
import { findPreview, type Limit, previewContent, addComment, type Shared, visitorThreads } from "./queries.ts";
import { previewStyle } from "./style.ts";
import { PreviewTexts, type ShownBlock, shownBlocks } from "./texts.ts";

const keptCharacters = 4_000_000;
/** Form size limit; overlong comments are returned to their author. */
const longestForm = 524_288;

/** The URL is the credential: no caching, no indexing, no referrer. */
const secret = {
  "cache-control": "no-store",
  "referrer-policy": "no-referrer",
  "x-robots-tag": "noindex, nofollow",
};

interface Surroundings {
  sql: Sql;
  proxies: number;
  rateLimitScale: number;
}

export interface PreviewVisit {
  siteFor(domain: string | null): Site;
  now: Date;
}

interface Opening extends PreviewVisit {
  token: string;
  hash: string;
}

interface Shown {
  status: number;
  typed: Typed;
  faults?: (words: Words["preview"]) => Faults | null;
  isSent?: boolean;
  more?: Record<string, string>;
}

/** Only rendered text is cached; access is checked on each request, so revocation is immediate. Only rate limits count. */
export class Previews {
  readonly #around: Surroundings;
  readonly #texts = new PreviewTexts(keptCharacters);

  constructor(around: Surroundings) {
    this.#around = around;
  }

  /** 404 for any invalid link, 405, 429; comments also 403 (cross-site) and 422. A published post redirects with 301. */
  async answer(request: Request, url: URL, { kind, token }: PreviewPlace, visit: PreviewVisit | null): Promise<Response> {
    const reads = request.method === "GET" || request.method === "HEAD";
    const takes = kind !== "comments" ? ["GET", "HEAD"] : ["GET", "HEAD", "POST"];
    if (!takes.includes(request.method)) return new Response(null, { status: 405, headers: { ...secret, allow: takes.join(", ") } });
    if (visit === null || !isPreviewToken(token)) return page(<NoPreviewPage />, 404);
    const opening = { ...visit, token, hash: await hashOfPreviewToken(token) };
    if (!reads) return await this.#say(request, opening);
    if (kind === "widget") return await this.#widget(request, opening);
    if (kind === "comments") return seeOther(visit.siteFor(null).path(previewPath(token)));
    const block = url.searchParams.get("block") ?? "";
    const typed = { ...nothingTyped, block: blockId.test(block) ? block : "" };
    return await this.#open(request, opening, { status: 200, typed, isSent: url.searchParams.has("sent") });
  }

  async #open(request: Request, opening: Opening, shown: Shown): Promise<Response> {
    const { sql } = this.#around;
    const limit = this.#limit(request, rateLimits.previewRead.address);
    const site = opening.siteFor(null);
    const result = await findPreview(sql, site.subdomain, opening.hash, limit);
    if (result === null) return page(<NoPreviewPage />, 404);
    if ("wait" in result) return page(<TooOftenPage />, 429, null, { "retry-after": String(result.wait) });
    // Uncached despite 301, as the post may become a draft again.
    if ("movedTo" in result)
      return new Response(null, { status: 301, headers: { ...secret, location: site.path(`/releases/${result.movedTo}`) } });
    return await this.#show(opening, result.shared, shown);
  }

  async #show(opening: Opening, shared: Shared, shown: Shown): Promise<Response> {
    const { workspace, release, ownTags, isOpen, allowsComments } = shared;
    const { hash, token, now, siteFor } = opening;
    const [blocks, threads] = await Promise.all([this.#blocks(hash, shared), allowsComments ? visitorThreads(this.#around.sql, hash) : []]);
    if (blocks === null) return page(<NoPreviewPage />, 404);
    const {
      locale,
      words: { preview: words },
    } = languageOf(workspace);
    const site = siteFor(workspace.domain);
    const { typed, isSent = false, faults = () => null } = shown;
    const comments = allowsComments && (
      <Comments
        {...{ shared, threads, blocks, typed, isSent }}
        faults={faults(words)}
        action={site.path(`${previewPath(token)}/comments`)}
      />
    );
    const element = (
      <ReleasePage
        {...{ workspace, site, now }}
        release={{ ...release, title: release.title || words.draft }}
        image={null}
        html={allowsComments ? withPlaces(blocks, site.path(previewPath(token)), words) : blocks.map(({ html }) => html).join("\n")}
        tags={[...ownTags, ...defaultTagsIn(locale)]}
        shared={{ notice: <DraftNotice shared={shared} />, style: previewStyle, comments, isClosed: !isOpen }}
      />
    );
    const text = await sealImages(this.#around.sql, workspace.id, renderPage(element), 1);
    return page(text, shown.status, workspace, shown.more);
  }

  /** The widget's data with the post, for any site: the link gives access to the post. */
  async #widget(request: Request, { hash, siteFor, now }: Opening): Promise<Response> {
    const { sql } = this.#around;
    const { subdomain } = siteFor(null);
    const result = await findPreview(sql, subdomain, hash, this.#limit(request, rateLimits.previewRead.address));
    const json = (data: object | null, status: number, more: Record<string, string> = {}) =>
      new Response(JSON.stringify(data), {
        status,
        headers: { ...secret, "content-type": types.json, "access-control-allow-origin": "*", ...more },
      });
    if (result === null) return json(null, 404);
    if ("wait" in result) return json(null, 429, { "retry-after": String(result.wait) });
    const shared = "shared" in result ? result.shared : await publishedPost(sql, subdomain, result.movedTo);
    if (shared === null) return json(null, 404);
    const { workspace, release } = shared;
    const cover = readCover(release.cover_image);
    const placed = [{ release, image: cover === "none" ? null : cover }];
    return json(presentWidgetData(workspace, siteFor(workspace.domain), placed, { now, placed, isPreview: true }), 200);
  }

  async #say(request: Request, opening: Opening): Promise<Response> {
    const { token, hash } = opening;
    if (!comesFromHere(request.headers))
      return new Response(errorCatalogue.cross_origin.sentence, { status: 403, headers: { ...secret, "content-type": types.text } });
    const site = opening.siteFor(null);
    const sent = `${site.path(previewPath(token), { sent: 1 })}#Comment`;
    const form = await readForm(request, longestForm);
    const { typed, isMachine } = form === null ? { typed: nothingTyped, isMachine: false } : typedIn(form);
    if (isMachine) return seeOther(sent);
    const showFormAgain = (status: number, faults: Shown["faults"], more = {}) =>
      this.#open(request, opening, { status, typed, faults, more });
    if (faultsOf(typed) !== null) return await showFormAgain(422, (words) => faultsOf(typed, words));
    const limit = this.#limit(request, rateLimits.previewComment.address);
    const outcome = await addComment(this.#around.sql, site.subdomain, hash, typed, limit);
    if (outcome === "said") return seeOther(sent);
    if (outcome === "full") return await showFormAgain(422, (words) => ({ text: words.full }));
    if (outcome === null) return await showFormAgain(404, undefined);
    return await showFormAgain(429, (words) => ({ text: words.tooOften }), { "retry-after": String(outcome.wait) });
  }

  #limit(request: Request, rate: Rate): Limit {
    const { proxies, rateLimitScale } = this.#around;
    return { network: clientAddress(request.headers, proxies), size: scaledSize(rate, rateLimitScale), seconds: rate.seconds };
  }

  async #blocks(hash: string, { workspace, release }: Shared): Promise<ShownBlock[] | null> {
    const language = languageOf(workspace);
    const keyOf = (version: number) => `${release.id} ${version} ${language.locale}`;
    const cached = this.#texts.get(keyOf(release.version));
    if (cached !== undefined) return cached;
    const content = await previewContent(this.#around.sql, hash);
    if (content === undefined) return null;
    const renderedBlocks = await shownBlocks(content.content_raw, language);
    this.#texts.keep(keyOf(content.version), renderedBlocks);
    return renderedBlocks;
  }
}

async function publishedPost(sql: Sql, subdomain: string, slug: string): Promise<Pick<Shared, "workspace" | "release"> | null> {
  const [workspace, release] = await Promise.all([findWorkspace(sql, subdomain), getRelease(sql, subdomain, slug)]);
  return workspace && release ? { workspace, release } : null;
}

const seeOther = (location: string): Response => new Response(null, { status: 303, headers: { ...secret, location } });

function page(
  element: VNode | string,
  status: number,
  workspace: PublicWorkspace | null = null,
  more: Record<string, string> = {},
): Response {
  const policy = workspace === null ? pageHeaders(null) : pageHeaders(workspace.appearance, [previewStyle]);
  return new Response(typeof element === "string" ? element : renderPage(element), {
    status,
    headers: { ...secret, ...policy, "content-type": types.html, ...more },
  });
}
