import { healthEndpoints } from "#contract/health.ts";
import type { Binder } from "../../_shared/handle.ts";
import { requireAnswers } from "./queries.ts";

export function bindHealth({ open }: Binder): void {
  open(healthEndpoints.check, async ({ env }) => {
    await requireAnswers(env);
    return { status: "ok" as const };
  });
}
