import { imageMaxBytes } from "#contract/limits.ts";
import { ConcurrencyLimit } from "#contract/rules/concurrency-limit.ts";
import { bytesUpTo } from "../../_shared/bytes-up-to.ts";
import type { Env } from "../../_shared/env.ts";
import { AppError } from "../../_shared/errors.ts";
import { type Network, TooLong, TooSlow, Unreachable } from "../../_shared/outbound/network.ts";
import { obtain } from "../../_shared/outbound/obtain.ts";
import { requireImage } from "../images/image-file.ts";
import type { ImageFile } from "../images/queries.ts";
import { addressOf } from "./address.ts";
import { speaksNoTls } from "./asking.ts";

/** Where a picture is now. */
export interface KeptImage {
  url: string;
  width: number;
  height: number;
}

/** Why a picture cannot be had; its message is for whoever imports it. */
export class ImageProblem extends Error {
  override readonly name = "ImageProblem";
}

const patienceMs = 15_000;
const tooLarge = "The picture is larger than 5MB";
const noPicture = "There is no picture at this address: PNG, JPEG, GIF and WebP can be kept";
const svg = "SVG pictures cannot be kept, because they may hold programs";
/** Pictures of one person that are asked for at once; the others wait: they are held in memory, and whose site hangs holds up nobody else. */
const atOnce = 4;

const stored = /^\/storage\/v1\/object\/public\/(?:post-images|logos|avatars)\/[\w./-]{1,300}\.(?:png|jpe?g|gif|webp)$/;

/** Fetches pictures of other sites, and what is in our own Storage. */
export class Pictures {
  readonly #network: Network;
  readonly #env: Env;
  readonly #underWay = new ConcurrencyLimit({ underWay: atOnce });

  constructor(network: Network, env: Env) {
    this.#network = network;
    this.#env = env;
  }

  /** The picture at an address, checked and without what it says of place and camera, is handed to `keep`. Rejects with `ImageProblem`. */
  async take<Kept>(person: string, address: string, keep: (image: ImageFile) => Promise<Kept>): Promise<Kept> {
    return await this.#underWay.run(person, async () => keep(check(await this.#fetch(address))));
  }

  async #fetch(address: string): Promise<Uint8Array> {
    const url = addressOf(address, this.#env.importsToPrivate);
    if (url === null) throw new ImageProblem("This is no address of a picture");
    const path = this.#ownPath(url);
    return path === null ? await this.#fromElsewhere(url) : await this.#fromStorage(path);
  }

  /** The path of one of our own pictures, at our own address or at that of a workspace. */
  #ownPath({ host, pathname }: URL): string | null {
    const { host: ours } = new URL(this.#env.publicUrl);
    return (host === ours || host.endsWith(`.${ours}`)) && stored.test(pathname) ? pathname : null;
  }

  async #fromElsewhere(url: URL): Promise<Uint8Array> {
    try {
      const wanted = { url, headers: { accept: "image/png, image/jpeg, image/gif, image/webp, image/*;q=0.5" }, maxBytes: imageMaxBytes };
      const { status, body, headers } = await obtain(this.#network, wanted, { toPrivate: this.#env.importsToPrivate, patienceMs });
      if (status < 200 || status > 299) throw new ImageProblem(`${url.host} answered ${status}`);
      if (/^image\/svg\b/i.test(headers.get("content-type") ?? "")) throw new ImageProblem(svg);
      return body;
    } catch (error) {
      if (error instanceof TooLong) throw new ImageProblem(tooLarge);
      if (error instanceof TooSlow) throw new ImageProblem(`${url.host} did not answer in time`);
      if (error instanceof Unreachable && speaksNoTls(error)) throw new ImageProblem(`${url.host} does not answer to https`);
      throw error instanceof Unreachable ? new ImageProblem(error.message) : error;
    }
  }

  /** Next door: our own address leads through the front door, which may be on this machine. */
  async #fromStorage(path: string): Promise<Uint8Array> {
    const answer = await fetch(this.#env.supabaseUrl + path, { redirect: "error", signal: AbortSignal.timeout(patienceMs) }).catch(
      (cause: unknown) => {
        throw new AppError("unavailable", { retryAfter: 1, cause });
      },
    );
    if (!answer.ok) {
      await answer.body?.cancel();
      if (answer.status >= 500) throw new AppError("unavailable", { retryAfter: 1 });
      throw new ImageProblem("This picture is not there any more");
    }
    const bytes = await bytesUpTo(answer.body, imageMaxBytes);
    if (bytes === null) throw new ImageProblem(tooLarge);
    return new Uint8Array(bytes);
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
