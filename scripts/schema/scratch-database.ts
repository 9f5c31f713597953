import fs from "node:fs";
import path from "node:path";
import postgres, { type Sql } from "postgres";

const bootstrap = path.join(import.meta.dirname, "../../supabase/local/engine/bootstrap");

export interface Cluster {
  dbUrl: string;
  ownerUrl: string;
}

export async function inScratchDatabase<Result>(cluster: Cluster, work: (owner: Sql, admin: Sql) => Promise<Result>): Promise<Result> {
  const name = `scratch_${crypto.randomUUID().replaceAll("-", "")}`;
  const anywhere = postgres(cluster.dbUrl, quiet);
  await anywhere.unsafe(`create database ${name} owner postgres`);
  const admin = postgres(inDatabase(cluster.dbUrl, name), quiet);
  const owner = postgres(inDatabase(cluster.ownerUrl, name), quiet);
  try {
    await bringServices(admin, inDatabase(cluster.dbUrl, name), name);
    return await work(owner, admin);
  } finally {
    await Promise.all([admin.end(), owner.end()]);
    await anywhere.unsafe(`drop database ${name} with (force)`);
    await anywhere.end();
  }
}

const quiet = { max: 1, onnotice: () => {}, connection: { TimeZone: "UTC" } };
const inDatabase = (url: string, name: string): string => Object.assign(new URL(url), { pathname: `/${name}` }).href;

async function bringServices(admin: Sql, url: string, name: string): Promise<void> {
  const run = async (file: string): Promise<void> => {
    await admin.unsafe(fs.readFileSync(path.join(bootstrap, file), "utf8").replaceAll("database postgres", `database ${name}`));
  };
  await run("1-roles.sql");
  await admin.unsafe(`grant usage on schema public to anon, authenticated, service_role`);
  for (const objects of ["tables", "sequences", "functions"])
    await admin.unsafe(
      `alter default privileges for role postgres in schema public grant all on ${objects} to anon, authenticated, service_role`,
    );
  await run("2-realtime.sql");
  process.env.EXPERIMENTAL_STORAGE = "1"; // lite reads the environment on import
  const [{ App }, { createPostgresConnection }] = await Promise.all([import("@supabase/lite"), import("@supabase/lite/postgres")]);
  const connection = createPostgresConnection({ url, postgresOptions: quiet });
  const lite = Object.assign(new App({ connection, db: { driver: "postgres", url }, storage: { enabled: true } }), { _storageAdapter: {} });
  await lite.ensureSystemSchema();
  await connection.driver.end();
  await run("3-after-lite.sql");
  // Memberships belong to the whole cluster, so the tables change owner instead.
  await admin.unsafe("alter table storage.objects owner to postgres; alter table realtime.messages owner to postgres");
}
