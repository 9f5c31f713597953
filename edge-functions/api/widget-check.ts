import type { z } from "zod";
import { managers } from "#contract/kinds.ts";
import { widgetEndpoints } from "#contract/widget-endpoints.ts";
import type { Binder } from "../_shared/handle.ts";
import { fetchPublicUrl } from "../_shared/outbound/fetch-public-url.ts";
import { type Network, Unreachable } from "../_shared/outbound/network.ts";
import { findSubdomain, requireRole } from "./workspaces/queries.ts";

type Finding = z.infer<typeof widgetEndpoints.check.response>;

export function bindWidgetCheck({ signedIn }: Binder, network: Network): void {
  signedIn(widgetEndpoints.check, async ({ db, params, body, env }) => {
    await requireRole(db, params.workspaceId, managers);
    const subdomain = await findSubdomain(db, params.workspaceId);
    return await checkPage(new URL(body.url), { network, toPrivate: false, host: new URL(env.publicUrl).host, subdomain });
  });
}

interface Check {
  network: Network;
  toPrivate: boolean;
  /** Of the installation, which serves widget.js. */
  host: string;
  subdomain: string;
}

const pageMaxBytes = 3_000_000;

export async function checkPage(page: URL, { network, toPrivate, host, subdomain }: Check): Promise<Finding> {
  try {
    const request = { url: page, headers: { "user-agent": "Tidings-Widget-Check/1", accept: "text/html" }, maxBytes: pageMaxBytes };
    const { status, body, url } = await fetchPublicUrl(network, request, { toPrivate });
    const { origin } = url;
    if (status < 200 || status > 299) return { result: "unreachable", origin, detail: `The page responded with ${status}` };
    return { origin, ...findWidget(new TextDecoder().decode(body), host, subdomain) };
  } catch (error) {
    if (!(error instanceof Unreachable)) throw error;
    return { result: "unreachable", origin: page.origin, detail: error.message };
  }
}

/** Without a regular expression, whose time would grow with the square of unclosed comments. */
function withoutComments(html: string): string {
  const [before = "", ...parts] = html.split("<!--");
  return before + parts.map((part) => (part.includes("-->") ? part.slice(part.indexOf("-->") + 3) : "")).join("");
}

/** Workspaces are named by `data-workspace`, or in the URL of Headway's replacement. */
const workspaceNames = /(?:data-workspace\s*=\s*["']?|widget-headway\.js\?workspace=)([a-z0-9-]+)/gi;

export function findWidget(html: string, host: string, subdomain: string): Pick<Finding, "result" | "detail"> {
  const page = withoutComments(html);
  if (!page.includes(`//${host}/widget`)) return { result: "not_found", detail: null };
  const names = Array.from(page.matchAll(workspaceNames), ([, name]) => name!.toLowerCase());
  if (names.includes(subdomain)) return { result: "found", detail: null };
  return { result: "other_workspace", detail: names[0] ?? null };
}
