import { z } from "zod";
import { endpoint } from "../endpoint.ts";

export const openApiEndpoints = {
  document: endpoint("GET /api/openapi.json", {
    summary: "This document, as OpenAPI 3.1",
    access: "public",
    response: z.looseObject({ openapi: z.string() }),
  }),
  publicDocument: endpoint("GET /api/v1/openapi.json", {
    summary: "The public API, as OpenAPI 3.1",
    access: "public",
    response: z.looseObject({ openapi: z.string() }),
  }),
} as const;
