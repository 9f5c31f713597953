import { z } from "zod";
import { jsonBodyMaxBytes } from "./body-limits.ts";
import { endpoint } from "./endpoint.ts";
import { id, line, success, time } from "./fields.ts";
import { roles, writers } from "./kinds.ts";
import { summaryMaxLength, titleMaxLength } from "./limits.ts";
import { post, tags } from "./posts.ts";

export const templateNameMaxLength = 60;

export const templateSummary = z.object({ id, name: z.string(), updated_at: time, updated_by_name: z.string().nullable() });
export const template = templateSummary.extend({
  title: z.string(),
  summary: z.string().nullable(),
  tags: z.array(z.string()),
  content_raw: z.string(),
});
export type TemplateSummary = z.infer<typeof templateSummary>;
export type Template = z.infer<typeof template>;

const templateInput = z.object({
  name: line("Please enter a name", templateNameMaxLength),
  title: z.string().trim().max(titleMaxLength).default(""),
  summary: z.string().trim().max(summaryMaxLength).nullish(),
  tags: tags.default([]),
  content_raw: z.string().max(jsonBodyMaxBytes),
});

const path = "/api/workspaces/{workspaceId}/templates";

export const templateEndpoints = {
  list: endpoint(`GET ${path}`, {
    summary: "List templates by name",
    access: roles,
    response: z.object({ templates: z.array(templateSummary) }),
  }),
  read: endpoint(`GET ${path}/{templateId}`, {
    summary: "Read a template with its content",
    access: roles,
    response: z.object({ template }),
  }),
  create: endpoint(`POST ${path}`, {
    summary: "Create a template; names are unique",
    access: writers,
    carriesContent: true,
    body: templateInput,
    status: 201,
    response: z.object({ template }),
    errors: ["template_name_taken", "too_many_templates"],
  }),
  update: endpoint(`PUT ${path}/{templateId}`, {
    summary: "Replace a template's name or content",
    access: writers,
    carriesContent: true,
    body: templateInput,
    response: z.object({ template }),
    errors: ["template_name_taken"],
  }),
  remove: endpoint(`DELETE ${path}/{templateId}`, {
    summary: "Delete a template; posts created from it stay",
    access: writers,
    response: success,
  }),
  duplicate: endpoint("POST /api/posts/{id}/duplicate", {
    summary: "Create a draft with title, summary, cover, tags and content",
    access: writers,
    idempotent: true,
    status: 201,
    response: z.object({ post }),
  }),
} as const;
