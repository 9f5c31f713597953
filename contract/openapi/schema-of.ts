import { z } from "zod";
import { components } from "./components.ts";
import { propertyDocs } from "./property-docs.ts";

export type Json = Record<string, unknown>;

const names = z.registry<{ id: string }>();
for (const [id, schema] of Object.entries(components)) names.add(schema, { id });

/** JSON Schema with references to the named components and described properties. `context` picks the descriptions: a component's name, for example. */
export const schemaOf = (schema: z.ZodType, io: "input" | "output", context = ""): Json =>
  withDocs(convert({ schema }, io).properties.schema!, context);

export function componentSchemas(): Json {
  const isSent = (name: string) => /^New|Change$/.test(name);
  const { true: sent, false: received } = Object.groupBy(Object.entries(components), ([name]) => `${isSent(name)}`);
  const all = { ...convert(Object.fromEntries(sent!), "input").$defs, ...convert(Object.fromEntries(received!), "output").$defs };
  return Object.fromEntries(Object.entries(all).map(([name, { id: _, ...schema }]) => [name, withDocs(schema, name)]));
}

function convert(schemas: Record<string, z.ZodType>, io: "input" | "output") {
  const converted = z.toJSONSchema(z.object(schemas), {
    io,
    metadata: names,
    unrepresentable: "any",
    override: ({ zodSchema, jsonSchema }) => {
      Object.assign(jsonSchema, z.globalRegistry.get(zodSchema));
      if (jsonSchema.format) delete jsonSchema.pattern;
      if (io === "output" && jsonSchema.additionalProperties === false) delete jsonSchema.additionalProperties; // later versions add some
    },
  });
  const text = JSON.stringify(converted).replaceAll('"#/$defs/', '"#/components/schemas/');
  return JSON.parse(text) as { properties: Record<string, Json>; $defs?: Record<string, Json> };
}

export const propertyDoc = (name: string, ...contexts: string[]) =>
  contexts.map((context) => propertyDocs[`${context}.${name}`]).find((doc) => doc !== undefined) ?? propertyDocs[name];

function withDocs(schema: Json, context: string, parent = ""): Json {
  const properties = (schema.properties ?? {}) as Record<string, Json>;
  for (const [name, property] of Object.entries(properties)) {
    const [description, example] = propertyDoc(name, parent, context) ?? [];
    if (description !== undefined) property.description ??= description;
    if (example !== undefined) property.examples ??= [example];
    withDocs(property, context, name);
  }
  for (const part of Object.values(schema))
    if (part !== properties && typeof part === "object" && part !== null) withDocs(part as Json, context, parent);
  return schema;
}

export function exampleOf(schema: Json, schemas: Json): unknown {
  if (schema.examples) return (schema.examples as unknown[])[0];
  if ("const" in schema) return schema.const;
  if ("default" in schema) return schema.default;
  if (schema.enum) return (schema.enum as unknown[])[0];
  if (schema.$ref) return exampleOf(schemas[(schema.$ref as string).replace(/^.*\//, "")] as Json, schemas);
  if (schema.anyOf) return exampleOf((schema.anyOf as Json[])[0]!, schemas);
  if (schema.type === "array") return [exampleOf(schema.items as Json, schemas)];
  if (schema.type !== "object") return schema.type === "boolean" ? true : schema.type === "integer" ? 0 : "";
  const properties = Object.entries((schema.properties ?? {}) as Record<string, Json>);
  return Object.fromEntries(properties.map(([name, property]) => [name, exampleOf(property, schemas)]));
}
