import useSWR from "swr";
import { z } from "zod";
import type { WidgetBuild } from "./snippets.ts";

const description = z.object({ script: z.object({ file: z.string(), integrity: z.string() }) });

/** The released widget's files and integrity values; undefined until they are known. */
export function useWidgetBuild(): WidgetBuild | undefined {
  return useSWR("/widget.json", read, { revalidateOnFocus: false, shouldRetryOnError: false }).data;
}

async function read(address: string): Promise<WidgetBuild> {
  return description.parse(await (await fetch(address)).json());
}
