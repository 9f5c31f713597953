import type { RowOf } from "#contract/database.ts";
import { type HouseStyle, houseStyleEndpoints } from "#contract/house-style.ts";
import type { Binder } from "../_shared/handle.ts";
import { rows } from "./result.ts";
import { requireRole } from "./workspaces/queries.ts";

export function bindHouseStyle({ signedIn }: Binder): void {
  signedIn(houseStyleEndpoints.read, async ({ db, params }) => {
    const [row] = await Promise.all([
      rows(db.from("house_styles").select("*").eq("workspace_id", params.workspaceId).maybeSingle()),
      requireRole(db, params.workspaceId),
    ]);
    return { house_style: present(row) };
  });

  signedIn(houseStyleEndpoints.save, async ({ db, params, body }) => {
    return { house_style: present(await rows(db.rpc("save_house_style", { workspace_id: params.workspaceId, text: body.text }))) };
  });
}

function present(row: RowOf<"house_styles"> | null): HouseStyle {
  return { text: row?.text ?? "", updated_by_name: row?.updated_by_name ?? null, updated_at: row?.updated_at ?? null };
}
