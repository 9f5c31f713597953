import { v1ImageEndpoints } from "#contract/v1/images.ts";
import type { Binder } from "../../_shared/handle.ts";
import { keepImage } from "../images/keep-image.ts";

export function bindV1Images({ withKey }: Binder): void {
  withKey(v1ImageEndpoints.upload, async ({ file, ...call }) => ({ image: await keepImage(call, file) }));
}
