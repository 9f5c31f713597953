import { z } from "zod";
import { type Tool, toolNames, tools } from "./tools.ts";

/** A tool as `tools/list` has it. */
export interface DescribedTool {
  name: string;
  title: string;
  description: string;
  inputSchema: { type: "object"; [key: string]: unknown };
  outputSchema: { type: "object"; [key: string]: unknown };
  annotations: Tool["annotations"] & { title: string };
}

/** The tools in the order of the contract, with their schemas as JSON Schema: the same bytes at every call. */
export const describedTools = (): DescribedTool[] => toolNames.map((name) => describe(tools[name]));

function describe({ name, title, description, input, output, annotations }: Tool): DescribedTool {
  return {
    name,
    title,
    description,
    inputSchema: schemaOf(input, "input"),
    outputSchema: schemaOf(output, "output"),
    annotations: { title, ...annotations },
  };
}

/** A model reads all of it with each conversation: what says nothing to it (long patterns of a format that is named, the bounds of integers) is left out. */
function schemaOf(schema: z.ZodType, io: "input" | "output"): { type: "object" } {
  const made = z.toJSONSchema(schema, {
    io,
    target: "draft-2020-12",
    override: ({ jsonSchema }) => {
      if (jsonSchema.format !== undefined) delete jsonSchema.pattern;
      if (jsonSchema.maximum === Number.MAX_SAFE_INTEGER) delete jsonSchema.maximum;
      if (jsonSchema.minimum === Number.MIN_SAFE_INTEGER) delete jsonSchema.minimum;
    },
  });
  return made as unknown as { type: "object" };
}
