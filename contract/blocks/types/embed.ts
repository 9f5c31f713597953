import { blockType } from "../block-type.ts";
import { type BlockWords, englishBlockWords } from "../block-labels.ts";
import { cleanInline, inlineText, publishedInline } from "../inline-html.ts";
import { escapeMarkdown, markdownAddress } from "../inline-to-markdown.ts";
import { blockLimits } from "../limits.ts";
import { cleanText, escapeHtml } from "../text.ts";

interface Service {
  name: string;
  hosts: readonly string[];
  frame: string;
  find(url: URL): { id: string; extra: string } | null;
  page(id: string, extra: string): string;
  player(id: string, extra: string): string;
}

const videoWithId = (id: string | null | undefined, form: RegExp, extra = "") => (id && form.test(id) ? { id, extra } : null);
const pathOf = (url: URL): string[] => url.pathname.split("/").filter((part) => part !== "");

const services: readonly Service[] = [
  {
    name: "YouTube",
    hosts: ["www.youtube.com", "youtube.com", "m.youtube.com", "youtu.be", "www.youtube-nocookie.com"],
    frame: "https://www.youtube-nocookie.com", // sets no cookie before playback
    find: (url) => {
      const [first, second] = pathOf(url);
      const own = ["embed", "shorts", "live"].includes(first ?? "") ? second : undefined;
      const id = url.hostname === "youtu.be" ? first : (own ?? (first === "watch" ? url.searchParams.get("v") : null));
      const [start = ""] = /^\d{1,6}(?=s?$)/.exec(url.searchParams.get("t") ?? url.searchParams.get("start") ?? "") ?? [];
      return videoWithId(id, /^[\w-]{11}$/, start);
    },
    page: (id, start) => `https://www.youtube.com/watch?v=${id}${start && `&t=${start}`}`,
    player: (id, start) => `/embed/${id}${start && `?start=${start}`}`,
  },
  {
    name: "Vimeo",
    hosts: ["vimeo.com", "www.vimeo.com", "player.vimeo.com"],
    frame: "https://player.vimeo.com",
    find: (url) => {
      const path = pathOf(url);
      const [id, hash = url.searchParams.get("h") ?? ""] = path[0] === "video" ? path.slice(1) : path;
      return videoWithId(id, /^\d{1,12}$/, /^[\da-f]{6,16}$/.test(hash) ? hash : ""); // of an unlisted video
    },
    page: (id, hash) => `https://vimeo.com/${id}${hash && `/${hash}`}`,
    player: (id, hash) => `/video/${id}?dnt=1${hash && `&h=${hash}`}`,
  },
  {
    name: "Loom",
    hosts: ["www.loom.com", "loom.com"],
    frame: "https://www.loom.com",
    find: (url) => {
      const [first, id] = pathOf(url);
      return first === "share" || first === "embed" ? videoWithId(id, /^[\da-f]{32}$/) : null;
    },
    page: (id) => `https://www.loom.com/share/${id}`,
    player: (id) => `/embed/${id}`,
  },
];

export interface Video {
  service: string;
  url: string;
  player: string;
}

export function videoAt(address: string): Video | null {
  if (address.length > blockLimits.urlLength || !URL.canParse(address)) return null;
  const url = new URL(address);
  const service = services.find(({ hosts }) => hosts.includes(url.hostname));
  if (url.protocol !== "https:" || url.port !== "" || url.username !== "" || url.password !== "" || !service) return null;
  const video = service.find(url);
  if (video === null) return null;
  const { id, extra } = video;
  return { service: service.name, url: service.page(id, extra), player: service.frame + service.player(id, extra) };
}

const titleOf = (caption: string, service: string, { watchOn }: BlockWords = englishBlockWords): string =>
  inlineText(caption).replace(/\s+/g, " ").trim() || watchOn(service);
const unknown: Video = { service: "", url: "", player: "" };
const videoOf = (url: string): Video => videoAt(url) ?? unknown;

export const embed = blockType({
  name: "Video",
  phrase: "a video",
  schema: ({ z, inline, text }) => z.object({ url: text, caption: inline }),
  clean: (data) => {
    const url = videoAt(cleanText(data["url"] ?? data["source"]).trim())?.url; // `source` is the field of Editor.js' embed tool
    return url === undefined ? null : { url, caption: cleanInline(data["caption"]) };
  },
  html: ({ url, caption }, { page, words: labels }) => {
    const { service, player } = videoOf(url);
    const title = escapeHtml(titleOf(caption, service, labels));
    if (!page) return `<p><a rel="noopener" href="${escapeHtml(url)}">${title}</a></p>`;
    const words = caption === "" ? "" : `<figcaption>${publishedInline(caption)}</figcaption>`;
    return `<figure class="embed"><iframe src="${escapeHtml(player)}" title="${title}" sandbox="allow-scripts allow-same-origin allow-presentation allow-popups" allow="fullscreen; picture-in-picture; encrypted-media" referrerpolicy="strict-origin-when-cross-origin" loading="lazy"></iframe>${words}</figure>`;
  },
  markdown: ({ url, caption }, { whole }) =>
    whole ? `<${url}>` : `[${escapeMarkdown(titleOf(caption, videoOf(url).service))}]${markdownAddress(url)}`,
  unsaid: ({ caption }) => (caption === "" ? {} : { caption }),
  words: ({ caption }) => [inlineText(caption)],
  prose: false,
  shows: { thing: ({ url }) => url, together: ["url", "caption"] },
  wordless: "Video",
  style: `
.body .embed { margin-block: 2.25rem; }
.body .embed iframe { display: block; width: 100%; aspect-ratio: 16 / 9; border: 0; border-radius: 6px; background: var(--well); }`,
  frames: services.map(({ frame }) => frame),
});
