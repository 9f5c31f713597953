import path from "node:path";
import { migrate } from "../../supabase/local/engine/migrate.ts";
import { schemaFiles } from "./baseline.ts";
import { readCatalog } from "./catalog.ts";
import { type Cluster, inScratchDatabase } from "./scratch-database.ts";

const migrations = path.resolve(import.meta.dirname, "../../supabase/migrations");

export const catalogOfMigrations = (cluster: Cluster, folder = migrations): Promise<Map<string, string>> =>
  inScratchDatabase(cluster, async (owner, admin) => {
    await migrate(owner, folder);
    return readCatalog(admin);
  });

export const catalogOfSchemas = (cluster: Cluster): Promise<Map<string, string>> =>
  inScratchDatabase(cluster, async (owner, admin) => {
    for (const { name, text } of schemaFiles())
      await owner.unsafe(text).catch((cause: Error & { position?: string }) => {
        const line = cause.position ? `:${text.slice(0, Number(cause.position)).split("\n").length}` : "";
        throw new Error(`${name}${line} ${cause.message}`, { cause });
      });
    return readCatalog(admin);
  });
