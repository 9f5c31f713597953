import { useCallback, useEffect, useState } from "react";
import { importEndpoints } from "#contract/imports.ts";
import { useCall } from "../../lib/use-call.ts";
import { forgetImport, type KeptImport, keptImports } from "./import-store.ts";
import { keyOf } from "./use-importer.ts";

/** Imports of a workspace, whoever began them. */
export const useImports = (workspaceId: string) => useCall(importEndpoints.list, { params: { workspaceId } });

/** Imports that this device can go on with, and a way to let go of one. */
export function useKeptImports(workspaceId: string, personId: string | undefined) {
  const [kept, setKept] = useState<KeptImport[]>([]);
  const look = useCallback(async () => {
    if (personId === undefined) return;
    try {
      setKept(await keptImports(keyOf(personId, workspaceId)));
    } catch (error) {
      console.warn("This device keeps no imports.", error);
    }
  }, [workspaceId, personId]);
  useEffect(() => void look(), [look]);
  return {
    kept,
    look,
    forget: async (id: string): Promise<void> => {
      setKept((before) => before.filter((one) => one.id !== id));
      await forgetImport(id).catch((error: unknown) => console.warn("The import could not be forgotten.", error));
    },
  };
}
