import { serviceClient } from "../_shared/clients.ts";
import type { Env } from "../_shared/env.ts";
import type { Task } from "../_shared/jobs.ts";
import { askToDraw } from "../_shared/link-pictures.ts";

export function drawOgImages(env: Env): Task {
  const service = serviceClient(env);
  return {
    concurrency: 2,
    async run({ id, lease, workspace_id: workspaceId }) {
      const [subject] = (await service.rpc("og_image_to_draw", { id }).throwOnError()).data;
      if (subject === undefined) return;
      const response = await askToDraw(env, subject);
      if (!response.ok) throw new Error(`og responded with ${response.status}: ${await response.text()}`);
      const path = `${workspaceId}/${crypto.randomUUID()}.png`;
      const image = { contentType: "image/png", cacheControl: "31536000" };
      const { error } = await service.storage.from("link-pictures").upload(path, await response.arrayBuffer(), image);
      if (error) throw error;
      await service.rpc("settle_og_image", { id, lease, path }).throwOnError();
      return "ended";
    },
  };
}
