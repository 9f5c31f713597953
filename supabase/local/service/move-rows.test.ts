import fs from "node:fs";
import path from "node:path";
import { expect, test } from "vitest";
import { programTables } from "./move-rows.ts";

const ofInstallation = ["private.installation", "private.mail_key"];

test("every table filled by migrations is listed as the version's or the installation's", () => {
  const schemas = path.join(import.meta.dirname, "../../schemas");
  const texts = fs.readdirSync(schemas).map((name) => fs.readFileSync(path.join(schemas, name), "utf8"));
  const filled = texts.flatMap((text) => [...text.matchAll(/^insert into ((?:private|public)\.\w+)/gm)].map(([, table]) => table!));
  const isForPeople = (table: string) => table === "public.profiles";
  expect([...new Set(filled)].filter((table) => !isForPeople(table)).toSorted()).toEqual([...programTables, ...ofInstallation].toSorted());
});
