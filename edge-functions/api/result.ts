import type { PostgrestSingleResponse } from "@supabase/postgrest-js";
import type { Json } from "#contract/database.ts";
import { fromDatabase, fromStorage } from "../_shared/backend-errors.ts";

export async function rows<Data>(call: PromiseLike<PostgrestSingleResponse<Data>>): Promise<Data> {
  const { data, error, status } = await call;
  if (error) throw fromDatabase(error, status);
  return data;
}

export const json = <Shape>(call: PromiseLike<PostgrestSingleResponse<Json>>): Promise<Shape> => rows(call) as Promise<Shape>;

export async function stored(call: PromiseLike<{ error: { message: string } | null }>): Promise<void> {
  const { error } = await call;
  if (error) throw fromStorage(error);
}
