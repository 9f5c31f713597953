import { z } from "zod";
import { readStored, writeStored } from "../../../lib/storage.ts";
import { tagColours, type Tag } from "../model/tags.ts";

const tags = z.array(z.object({ key: z.string(), label: z.string(), colour: z.enum(tagColours) }));
const storageKey = (workspaceId: string) => `tc:tags:${workspaceId}`;

/** The tags this device made for a workspace, with their colours; posts carry only the keys. */
export function ownTags(workspaceId: string): Tag[] {
  try {
    return tags.parse(JSON.parse(readStored(localStorage, storageKey(workspaceId)) ?? "[]"));
  } catch {
    return [];
  }
}

/** Adds a tag, or changes the colour of one with the same key. Returns all. */
export function keepTag(workspaceId: string, tag: Tag): Tag[] {
  const all = [...ownTags(workspaceId).filter((known) => known.key !== tag.key), tag];
  writeStored(localStorage, storageKey(workspaceId), JSON.stringify(all));
  return all;
}
