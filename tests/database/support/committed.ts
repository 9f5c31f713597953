import { randomUUID } from "node:crypto";
import type postgres from "postgres";
import type { TransactionSql } from "postgres";
import { newPerson, newWorkspace } from "./world.ts";

export async function committedAs<T>(sql: postgres.Sql, person: string | null, work: (tx: TransactionSql) => Promise<T>): Promise<T> {
  const role = person === null ? "anon" : "authenticated";
  const claims = JSON.stringify(person === null ? { role } : { sub: person, role, session_id: person });
  return (await sql.begin(async (tx) => {
    await tx`select set_config('role', ${role}, true), set_config('request.jwt.claims', ${claims}, true)`;
    return work(tx);
  })) as T;
}

export interface Place {
  owner: string;
  workspace: string;
  subdomain: string;
  people: string[];
}

export async function newPlace(sql: postgres.Sql, others: number): Promise<Place> {
  return (await sql.begin(async (tx) => {
    const owner = await newPerson(tx, "owner");
    const workspace = await newWorkspace(tx, owner, "Race");
    const people = Array.from({ length: others }, () => randomUUID());
    await tx`insert into auth.users (id, email, aud, role) select id, id || '@example.com', 'authenticated', 'authenticated' from unnest(${people}::uuid[]) as id`;
    await tx`insert into auth.sessions (id, user_id) select id, id from unnest(${people}::uuid[]) as id`;
    const [row] = await tx`select subdomain::text from public.workspaces where id = ${workspace}`;
    return { owner, workspace, subdomain: row!.subdomain as string, people };
  })) as Place;
}

export async function withWorkspace<Played>(sql: postgres.Sql, others: number, play: (place: Place) => Promise<Played>): Promise<Played> {
  const place = await newPlace(sql, others);
  try {
    return await play(place);
  } finally {
    await unlessGivenUp(() => sql`delete from public.workspaces where id = ${place.workspace}`);
    await unlessGivenUp(() => sql`delete from auth.users where id = any (${[place.owner, ...place.people]})`);
  }
}

/** Retries after a deadlock or lock timeout: concurrent tests hold shared rows in long transactions, as no worker does. */
async function unlessGivenUp(work: () => Promise<unknown>): Promise<void> {
  for (;;) {
    try {
      return void (await work());
    } catch (error) {
      if ((error as { code?: string }).code !== "40P01") throw error;
    }
  }
}
