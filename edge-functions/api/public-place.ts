import type { Database } from "../_shared/clients.ts";
import { json } from "./result.ts";

export interface PublicPlace {
  name: string;
  subdomain: string;
  domain: string | null;
  open: boolean;
}

export const readPlace = (db: Database, workspaceId: string): Promise<PublicPlace> =>
  json(db.rpc("workspace_address", { workspace_id: workspaceId }));
