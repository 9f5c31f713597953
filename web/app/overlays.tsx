import { Suspense, useEffect, useState, type ReactNode } from "react";
import { useLocation, useNavigate } from "react-router-dom";
import type { Workspace } from "#contract/workspaces.ts";
import { lazyPart } from "../ui/lazy-part.tsx";
import { goToNeighbour } from "../features/posts/list/neighbours.ts";
import { toolbarContext } from "../features/editor/toolbar/toolbar-context.ts";
import { useShortcuts } from "../features/editor/toolbar/use-shortcuts.ts";
import { useCurrentWorkspace } from "../features/workspaces/current-workspace.tsx";
import { bufferEarlyKeys } from "../lib/early-keys.ts";
import { onOverlay, openOverlay, type Overlay } from "../lib/overlays.ts";
import { paths } from "../lib/paths.ts";
import { useSingleKeys } from "../lib/single-keys.ts";
import { formerPostKey, newPostKey, nextPostKey, pageKeys, shortcutsKey, useAppCommands } from "./commands.ts";
import { pageItems, visibleItems } from "./navigation.ts";
import { useKeySequences } from "./use-key-sequences.ts";

const SearchPalette = lazyPart(() => import("../features/posts/search/search-palette.tsx"), "SearchPalette");
const ShortcutsDialog = lazyPart(() => import("../features/editor/toolbar/shortcuts-dialog.tsx"), "ShortcutsDialog");
const TagManager = lazyPart(() => import("../features/posts/tags/tag-manager.tsx"), "TagManager");
const TemplatesDialog = lazyPart(() => import("../features/posts/templates/templates-dialog.tsx"), "TemplatesDialog");

/** Overlays of every workspace page, and their shortcuts. */
export function Overlays({ workspaces }: { workspaces: readonly Workspace[] }) {
  const { workspace, role, canWrite } = useCurrentWorkspace();
  const navigate = useNavigate();
  const [shown, setShown] = useState<{ overlay: Overlay; requestCount: number } | null>(null);
  const { pathname } = useLocation();
  const singleKeys = useSingleKeys();
  useEffect(
    () =>
      onOverlay((overlay) => {
        if (overlay === "palette") bufferEarlyKeys();
        setShown((before) => ({ overlay, requestCount: (before?.requestCount ?? 0) + 1 }));
      }),
    [],
  );
  useShortcuts({ onSearch: () => openOverlay("palette") });

  const sequences = Object.fromEntries(
    visibleItems(pageItems, role).flatMap(({ label, to }) => {
      const keys = pageKeys[label];
      return keys === undefined ? [] : [[keys, () => void navigate(to(workspace.id))]];
    }),
  );
  if (canWrite) sequences[newPostKey] = () => void navigate(paths.newPost(workspace.id));
  sequences[nextPostKey] = () => void goToNeighbour(1);
  sequences[formerPostKey] = () => void goToNeighbour(-1);
  sequences[shortcutsKey] = () => void openOverlay("shortcuts");
  useKeySequences(singleKeys ? sequences : null, toolbarContext(pathname) !== "default");

  const close = () => setShown(null);
  const go = (path: string) => {
    close();
    void navigate(path);
  };
  return (
    <Suspense key={shown?.requestCount}>
      {shown?.overlay === "palette" && (
        <WithCommands workspaces={workspaces}>
          {(commands) => (
            <SearchPalette
              workspaceId={workspace.id}
              canWrite={canWrite}
              commands={commands}
              onOpen={(post) => go(paths.editPost(workspace.id, post.id))}
              onCreate={() => go(paths.newPost(workspace.id))}
              onRun={(command) => {
                close();
                command.run();
              }}
              onClose={close}
            />
          )}
        </WithCommands>
      )}
      {shown?.overlay === "shortcuts" && <ShortcutsDialog onClose={close} />}
      {shown?.overlay === "tags" && <TagManager workspaceId={workspace.id} canWrite={canWrite} onClose={close} />}
      {shown?.overlay === "templates" && (
        <TemplatesDialog workspaceId={workspace.id} onChoose={({ id }) => go(paths.newPostFrom(workspace.id, id))} onClose={close} />
      )}
    </Suspense>
  );
}

type Commands = ReturnType<typeof useAppCommands>;
/** Builds the commands only while the palette is open. */
function WithCommands({ workspaces, children }: { workspaces: readonly Workspace[]; children: (commands: Commands) => ReactNode }) {
  return children(useAppCommands(workspaces));
}
