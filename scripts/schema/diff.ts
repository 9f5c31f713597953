import { differences } from "./catalog.ts";
import { catalogOfMigrations, catalogOfSchemas } from "./databases.ts";
import { runningStack } from "./running-stack.ts";

const cluster = runningStack();
const found = differences(await catalogOfMigrations(cluster), await catalogOfSchemas(cluster));
for (const line of found) console.log(line);
console.log(
  found.length === 0
    ? "Migrations and schemas make the same database."
    : `\n${found.length} objects differ: "-" is made by migrations only, "+" by schemas only, "~" differs (migrations → schemas).`,
);
process.exitCode = found.length === 0 ? 0 : 1;
