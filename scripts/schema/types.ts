import fs from "node:fs";
import postgres from "postgres";
import { databaseTypes, typesFile } from "./database-types.ts";
import { runningStack } from "./running-stack.ts";

const sql = postgres(runningStack().dbUrl, { max: 1, onnotice: () => {} });
fs.writeFileSync(typesFile, await databaseTypes(sql));
await sql.end();
