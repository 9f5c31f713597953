import { z } from "zod";
import { type CompleteWidgetSettings, ofEachField, type WidgetField, type WidgetSettings } from "./widget-choices.ts";

function schemaOf(field: WidgetField): z.ZodType {
  if (field.type === "switch") return z.boolean();
  if (field.type === "choice") return z.literal(field.options.map(([value]) => value));
  const error = `Please enter a number from ${field.min} to ${field.max}`;
  return z.int({ error: "Please enter a whole number" }).min(field.min, { error }).max(field.max, { error });
}

const groups = (make: (fields: Record<string, z.ZodType>) => z.ZodType) =>
  Object.fromEntries(Object.entries(ofEachField(schemaOf)).map(([group, fields]) => [group, make(fields)]));
const nullish = (fields: Record<string, z.ZodType>) =>
  Object.fromEntries(Object.entries(fields).map(([name, schema]) => [name, schema.nullish()]));

export const widgetSettings = z.strictObject(groups((fields) => z.strictObject(nullish(fields)).optional())) as z.ZodType<
  WidgetSettings,
  WidgetSettings
>;
export const completeWidgetSettings = z.object(groups((fields) => z.object(fields))) as unknown as z.ZodType<CompleteWidgetSettings>;
