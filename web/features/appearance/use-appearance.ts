import { type Appearance, appearanceEndpoints } from "#contract/appearance.ts";
import type { z } from "zod";
import { call } from "../../lib/api-client.ts";
import { useCall } from "../../lib/use-call.ts";

type Changes = z.input<NonNullable<typeof appearanceEndpoints.put.body>>;

/** Saved appearance. Writes throw ApiError and update the cache. */
export function useAppearance(workspaceId: string) {
  const params = { workspaceId };
  const { data, error, mutate } = useCall(appearanceEndpoints.get, { params }, { revalidateOnFocus: false });
  const updateCache = (changes: Partial<Appearance>) => mutate((shown) => shown && { ...shown, ...changes }, { revalidate: false });
  return {
    look: data,
    error,
    reload: () => mutate(),
    show: updateCache,
    async save(changes: Changes): Promise<Appearance> {
      const saved = await call(appearanceEndpoints.put, { params, body: changes });
      await mutate(saved, { revalidate: false });
      return saved;
    },
    picture(picture: "logo-dark" | "favicon") {
      const field = picture === "favicon" ? "favicon_url" : "logo_dark_url";
      return {
        current: data?.[field] ?? null,
        async save(file: File): Promise<void> {
          const { url } = await call(appearanceEndpoints.uploadPicture, { params: { workspaceId, picture }, file });
          await updateCache({ [field]: url });
        },
        async remove(): Promise<void> {
          await call(appearanceEndpoints.removePicture, { params: { workspaceId, picture } });
          await updateCache({ [field]: null });
        },
      };
    },
  };
}
export type AppearanceState = ReturnType<typeof useAppearance>;
