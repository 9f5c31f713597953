import { imageMaxBytes } from "#contract/limits.ts";
import { ConcurrencyLimit } from "#contract/rules/concurrency-limit.ts";
import type { Env } from "../../_shared/env.ts";
import { AppError } from "../../_shared/errors.ts";
import { type Network, TooLong, TooSlow, Unreachable } from "../../_shared/outbound/network.ts";
import { fetchPublicUrl } from "../../_shared/outbound/fetch-public-url.ts";
import { readStoredFile } from "../../_shared/stored-file.ts";
import { requireImage } from "../images/image-file.ts";
import type { ImageFile } from "../images/queries.ts";
import { addressOf } from "./address.ts";
import { speaksNoTls } from "./source-client.ts";

export interface KeptImage {
  url: string;
  width: number;
  height: number;
}

export class ImageProblem extends Error {
  override readonly name = "ImageProblem";
}

const timeoutMs = 15_000;
const tooLarge = "The image is larger than 5MB";
const noPicture = "There's no image at this URL. PNG, JPEG, GIF and WebP are supported";
const svg = "SVG images aren't supported, because they can contain scripts";
/** Concurrency per person: images are held in memory, and a slow site must not block others. */
const atOnce = 4;

const stored = /^\/storage\/v1\/object\/public\/(?:post-images|logos|avatars)\/[\w./-]{1,300}\.(?:png|jpe?g|gif|webp)$/;

export class Pictures {
  readonly #network: Network;
  readonly #env: Env;
  readonly #underWay = new ConcurrencyLimit({ underWay: atOnce });

  constructor(network: Network, env: Env) {
    this.#network = network;
    this.#env = env;
  }

  async take<Kept>(person: string, address: string, keep: (image: ImageFile) => Promise<Kept>): Promise<Kept> {
    return await this.#underWay.run(person, async () => keep(check(await this.#fetch(address))));
  }

  async #fetch(address: string): Promise<Uint8Array> {
    const url = addressOf(address, this.#env.importsToPrivate);
    if (url === null) throw new ImageProblem("This isn't a valid image URL");
    const path = this.#ownPath(url);
    return path === null ? await this.#fromElsewhere(url) : await this.#fromStorage(path);
  }

  /** Path of our own image, at our host or a workspace's. */
  #ownPath({ host, pathname }: URL): string | null {
    const { host: ours } = new URL(this.#env.publicUrl);
    return (host === ours || host.endsWith(`.${ours}`)) && stored.test(pathname) ? pathname : null;
  }

  async #fromElsewhere(url: URL): Promise<Uint8Array> {
    try {
      const request = { url, headers: { accept: "image/png, image/jpeg, image/gif, image/webp, image/*;q=0.5" }, maxBytes: imageMaxBytes };
      const { status, body, headers } = await fetchPublicUrl(this.#network, request, {
        toPrivate: this.#env.importsToPrivate,
        timeoutMs: timeoutMs,
      });
      if (status < 200 || status > 299) throw new ImageProblem(`${url.host} responded with ${status}`);
      if (/^image\/svg\b/i.test(headers.get("content-type") ?? "")) throw new ImageProblem(svg);
      return body;
    } catch (error) {
      if (error instanceof TooLong) throw new ImageProblem(tooLarge);
      if (error instanceof TooSlow) throw new ImageProblem(`${url.host} didn't respond in time`);
      if (error instanceof Unreachable && speaksNoTls(error)) throw new ImageProblem(`${url.host} doesn't support https`);
      throw error instanceof Unreachable ? new ImageProblem(error.message) : error;
    }
  }

  /** Directly from Storage: our public URL may resolve to this machine, which the guard blocks. */
  async #fromStorage(path: string): Promise<Uint8Array> {
    const bytes = await readStoredFile(this.#env.supabaseUrl + path, imageMaxBytes, timeoutMs).catch((cause: unknown) => {
      throw new AppError("unavailable", { retryAfter: 1, cause });
    });
    if (bytes === null) throw new ImageProblem("This image no longer exists");
    return bytes;
  }
}

function check(bytes: Uint8Array): ImageFile {
  try {
    return requireImage(bytes, imageMaxBytes, tooLarge);
  } catch (error) {
    if (!(error instanceof AppError)) throw error;
    if (error.code !== "file_not_image") throw new ImageProblem(error.details.fields?.["image"] ?? error.message);
    const head = new TextDecoder().decode(bytes.subarray(0, 1_000));
    throw new ImageProblem(/<svg[\s>]/i.test(head) ? svg : noPicture);
  }
}
