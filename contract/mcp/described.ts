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
  return separated(made) as { type: "object" };
}

/** Each type by itself, all the way down: clients that know one type a schema refuse a tool, or forget its bounds, where it has a list of them. */
function separated(schema: unknown): unknown {
  if (Array.isArray(schema)) return schema.map(separated);
  if (typeof schema !== "object" || schema === null) return schema;
  const { type, ...rest } = Object.fromEntries(Object.entries(schema).map(([name, value]) => [name, separated(value)]));
  if (!Array.isArray(type)) return type === undefined ? rest : { type, ...rest };
  const { description, default: usual, ...bounds } = rest;
  return {
    ...(description !== undefined && { description }),
    ...(usual !== undefined && { default: usual }),
    anyOf: type.map((one: unknown) => (one === "null" ? { type: one } : { type: one, ...bounds })),
  };
}
