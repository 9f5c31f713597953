import { readFile } from "node:fs/promises";
import { exitCodes, Failure } from "./errors.js";

/** Prints a line for people, or `data` with --json. */
export const print = ({ stdout }, { json }, data, line) => stdout.write(`${json ? JSON.stringify(data) : line}\n`);

export const textOf = async (stream) => {
  const chunks = [];
  for await (const chunk of stream) chunks.push(chunk);
  return Buffer.concat(chunks.map((chunk) => Buffer.from(chunk))).toString("utf8");
};

export const fileText = (file) =>
  readFile(file, "utf8").catch((error) => {
    throw new Failure(error.code === "ENOENT" ? `There's no file ${file}` : `couldn't read ${file}: ${error.message}`, exitCodes.usage);
  });
