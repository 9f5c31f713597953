import { z } from "zod";
import { endpoint } from "../endpoint.ts";

export const openApiEndpoints = {
  document: endpoint({
    method: "GET",
    path: "/api/openapi.json",
    summary: "This document, as OpenAPI 3.1",
    access: "public",
    status: 200,
    response: z.looseObject({ openapi: z.string() }),
  }),
  publicDocument: endpoint({
    method: "GET",
    path: "/api/v1/openapi.json",
    summary: "The public API, as OpenAPI 3.1",
    access: "public",
    status: 200,
    response: z.looseObject({ openapi: z.string() }),
  }),
} as const;
