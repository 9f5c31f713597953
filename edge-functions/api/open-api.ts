import { endpoints } from "#contract/endpoints.ts";
import { describeApi, openApiEndpoints } from "#contract/openapi.ts";
import type { Binder } from "../_shared/handle.ts";

export function bindOpenApi({ open }: Binder): void {
  let document: ReturnType<typeof describeApi> | undefined;
  open(openApiEndpoints.document, ({ env }) => Promise.resolve((document ??= describeApi(endpoints, env.publicUrl))));
}
