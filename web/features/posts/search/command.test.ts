import { expect, test } from "vitest";
import { matchingCommands, type Command } from "./command.ts";

const command = (label: string, words?: string): Command => ({ id: label, label, icon: "cog", words, run: () => undefined });
const commands = [command("New post", "create write"), command("Go to Team"), command("Dark appearance", "theme mode")];

test.each([
  ["", ["New post", "Go to Team", "Dark appearance"]],
  ["go te", ["Go to Team"]],
  ["THEME", ["Dark appearance"]],
  ["wri", ["New post"]],
  ["eam", []],
  ["team go", ["Go to Team"]],
  ["new team", []],
])("matchingCommands of %j finds %j", (term, labels) => expect(matchingCommands(commands, term).map(({ label }) => label)).toEqual(labels));
