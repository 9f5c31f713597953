// @deno-types="@types/react"
import type { ReactElement } from "react";
import { defaultTagsIn } from "#contract/words/index.ts";
import { FairQueue } from "#contract/rules/fair-queue.ts";
import { hashOfPreviewToken, isPreviewToken } from "#contract/rules/preview-token.ts";
import { rateLimits, scaledSize } from "#contract/rate-limits.ts";
import { clientAddress } from "../../_shared/client-address.ts";
import type { Lanes } from "../lanes.ts";
import { languageOf } from "../language.ts";
import { ReleasePage } from "../pages/release-page.tsx";
import { renderPage } from "../pages/render.tsx";
import type { Sql } from "../queries/database.ts";
import type { PublicWorkspace } from "../queries/releases.ts";
import { types } from "../resource.ts";
import { pageHeaders } from "../security-headers.ts";
import type { Site } from "../site.ts";
import { DraftNotice, NoPreviewPage, TooOftenPage } from "./pages.tsx";
import type { PreviewPlace } from "./places.ts";
import { findPreview, type Found, previewContent, type Shared } from "./queries.ts";
import { previewStyle } from "./style.ts";
import { PreviewTexts, type ShownBlock, shownBlocks } from "./texts.ts";

/** Questions of one network that wait; whoever guesses comes behind everybody else. */
const waitingEach = 20;
const keptCharacters = 4_000_000;

/** For nobody's cache, no search engine, and no site that the page leads to: the address is the key. */
const secret = {
  "cache-control": "no-store",
  "referrer-policy": "no-referrer",
  "x-robots-tag": "noindex, nofollow",
};

interface Surroundings {
  sql: Sql;
  lanes: Lanes;
  /** How many proxies in front each add an entry to X-Forwarded-For. */
  proxies: number;
  rateLimitScale: number;
}

/** At which workspace's host, and when; `siteFor` takes the name of its own that readers are led to. */
export interface Asked {
  siteFor(domain: string | null): Site;
  now: Date;
}

/**
 * Posts that are not public, for whoever has a link. Nothing of it is kept but rendered text, nothing is counted but who asks how often, and
 * what a link opens is asked anew each time: it ends at once.
 */
export class Previews {
  readonly #around: Surroundings;
  readonly #texts = new PreviewTexts(keptCharacters);
  /** Anybody can make up tokens: one question after the other, networks in turns, with pauses, so that other pages are as quick as ever. */
  readonly #turns = new FairQueue(waitingEach);

  constructor(around: Surroundings) {
    this.#around = around;
  }

  /** Errors: 404 page for every link that opens nothing, 405, 429 with Retry-After. A public post is answered with 301 to its address. */
  async answer(request: Request, place: PreviewPlace, asked: Asked | null): Promise<Response> {
    if (request.method !== "GET" && request.method !== "HEAD")
      return new Response(null, { status: 405, headers: { ...secret, allow: "GET, HEAD" } });
    if (asked === null || !isPreviewToken(place.token)) return nowhere(request);
    const hash = await hashOfPreviewToken(place.token);
    const found = await this.#find(request, hash, asked);
    if (found === null) return nowhere(request);
    if ("wait" in found) return page(request, <TooOftenPage />, 429, null, { "retry-after": String(found.wait) });
    // Kept by nobody, though it says that it is for good: the post may become a draft again while the link still works.
    if ("movedTo" in found)
      return new Response(null, { status: 301, headers: { ...secret, location: asked.siteFor(null).path(`/releases/${found.movedTo}`) } });
    return await this.#show(request, hash, found.shared, asked);
  }

  #find(request: Request, hash: string, asked: Asked): Promise<Found> {
    const { sql, proxies, rateLimitScale } = this.#around;
    const { address } = rateLimits.previewRead;
    const limit = {
      network: clientAddress(request.headers, proxies),
      size: scaledSize(address, rateLimitScale),
      seconds: address.seconds,
    };
    return this.#turns.run(limit.network, () => findPreview(sql, asked.siteFor(null).subdomain, hash, limit));
  }

  async #show(request: Request, hash: string, shared: Shared, asked: Asked): Promise<Response> {
    const { workspace, release, neighbours, ownTags, isOpen } = shared;
    const blocks = await this.#blocks(hash, shared);
    if (blocks === null) return nowhere(request);
    const { locale, words } = languageOf(workspace);
    const element = (
      <ReleasePage
        {...{ workspace, neighbours }}
        release={{ ...release, title: release.title || words.preview.draft }}
        site={asked.siteFor(workspace.domain)}
        image={null}
        html={blocks.map(({ html }) => html).join("\n")}
        tags={[...ownTags, ...defaultTagsIn(locale)]}
        now={asked.now}
        shared={{ notice: <DraftNotice shared={shared} />, style: previewStyle, comments: null, isClosed: !isOpen }}
      />
    );
    return page(request, element, 200, workspace);
  }

  /** Null: the link has ended meanwhile. */
  async #blocks(hash: string, { workspace, release }: Shared): Promise<ShownBlock[] | null> {
    const language = languageOf(workspace);
    const keyOf = (version: number) => `${release.id} ${version} ${language.locale}`;
    const known = this.#texts.get(keyOf(release.version));
    if (known !== undefined) return known;
    let made: ShownBlock[] | null = null;
    // As pages are made: three of a workspace at once, and long ones behind everybody else.
    await this.#around.lanes.read(workspace.subdomain, false, async () => {
      const content = await previewContent(this.#around.sql, hash);
      if (content === undefined) return null;
      made = await shownBlocks(content.content_raw, language);
      this.#texts.keep(keyOf(content.version), made);
      return { text: made.map(({ html }) => html).join("\n") };
    });
    return made;
  }
}

const nowhere = (request: Request): Response => page(request, <NoPreviewPage />, 404, null);

function page(
  request: Request,
  element: ReactElement,
  status: number,
  workspace: PublicWorkspace | null,
  more: Record<string, string> = {},
): Response {
  const policy = workspace === null ? pageHeaders(null) : pageHeaders(workspace.appearance, [previewStyle]);
  return new Response(request.method === "HEAD" ? null : renderPage(element), {
    status,
    headers: { ...secret, ...policy, "content-type": types.html, ...more },
  });
}
