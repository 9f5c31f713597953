export interface Operation {
  responses?: Record<string, object>;
}

/** An OpenAPI description. */
export interface Description {
  paths: Record<string, Record<string, Operation>>;
}
