import type { PostgrestSingleResponse } from "@supabase/postgrest-js";
import type { Json } from "#contract/database.ts";
import { fromDatabase, fromStorage } from "../_shared/backend-errors.ts";

/** What a database call answers with, or its error as one of ours. contract/database.ts says its type. */
export async function rows<Data>(call: PromiseLike<PostgrestSingleResponse<Data>>): Promise<Data> {
  const { data, error, status } = await call;
  if (error) throw fromDatabase(error, status);
  return data;
}

/** The same for a function that answers with JSON: the database knows no type of what is in it, the endpoint's response schema checks it. */
export const json = <Shape>(call: PromiseLike<PostgrestSingleResponse<Json>>): Promise<Shape> => rows(call) as Promise<Shape>;

/** The same for a call of the storage service. */
export async function stored(call: PromiseLike<{ error: { message: string } | null }>): Promise<void> {
  const { error } = await call;
  if (error) throw fromStorage(error);
}
