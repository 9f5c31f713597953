import { z } from "zod";
import { type Tool, toolNames, tools } from "./tools.ts";

export interface DescribedTool {
  name: string;
  title: string;
  description: string;
  inputSchema: { type: "object"; [key: string]: unknown };
  outputSchema: { type: "object"; [key: string]: unknown };
  annotations: Tool["annotations"] & { title: string };
}

/** In the order of the contract; byte-identical on every call, so clients can cache it. */
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

/** Omits what a model can't use (patterns of named formats, integer bounds): it reads all of it in every conversation. */
function schemaOf(schema: z.ZodType, io: "input" | "output"): { type: "object" } {
  const converted = z.toJSONSchema(schema, {
    io,
    target: "draft-2020-12",
    override: ({ jsonSchema }) => {
      if (jsonSchema.format !== undefined) delete jsonSchema.pattern;
      if (jsonSchema.maximum === Number.MAX_SAFE_INTEGER) delete jsonSchema.maximum;
      if (jsonSchema.minimum === Number.MIN_SAFE_INTEGER) delete jsonSchema.minimum;
    },
  });
  return separated(converted) as { type: "object" };
}

/** Splits lists of types: some clients support a single type per schema and reject the tool or ignore its bounds. */
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
