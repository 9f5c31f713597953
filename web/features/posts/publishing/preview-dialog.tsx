import { useEffect, useRef, useState } from "react";
import type { Post } from "#contract/posts.ts";
import { fieldsBody } from "#contract/rules/post-content.ts";
import { previewEndpoints, type PostPreview, type PreviewInput } from "#contract/previews.ts";
import { Button } from "../../../ui/button.tsx";
import { ChoiceGroup } from "../../../ui/choice-group.tsx";
import { Dialog } from "../../../ui/dialog.tsx";
import { Failure } from "../../../ui/empty-state.tsx";
import { Loading, Skeleton } from "../../../ui/skeleton.tsx";
import { Stack } from "../../../ui/layout.tsx";
import { ApiError, call } from "../../../lib/api-client.ts";
import { trustedFrameHtml } from "../../../lib/trusted-types.ts";
import { useLatest } from "../../../lib/use-latest.ts";
import { samplePageHtml, type FrameWindow, startPreview } from "../../widget-settings/preview-frame.ts";
import { useCurrentWorkspace } from "../../workspaces/current-workspace.tsx";
import type { Writing } from "../../session/write.ts";
import { LinkCard } from "./link-card.tsx";
import css from "./preview.module.css";

interface PreviewDialogProps {
  post: Post | null;
  read(): Promise<Writing>;
  facts?: Pick<PreviewInput, "published_at" | "author">;
  onClose(): void;
}

const views = [
  { value: "page", label: "Page", icon: "file" },
  { value: "widget", label: "Widget", icon: "megaphone" },
  { value: "card", label: "Link", icon: "link" },
] as const;
type View = (typeof views)[number]["value"];

export function PreviewDialog({ post, read, facts, onClose }: PreviewDialogProps) {
  const { workspace } = useCurrentWorkspace();
  const [view, setView] = useState<View>("page");
  const [preview, setPreview] = useState<PostPreview | null>(null);
  const [problem, setProblem] = useState<string | null>(null);
  const [tries, setTries] = useState(0);
  const latest = useLatest({ post, read, facts });

  useEffect(() => {
    const aborter = new AbortController();
    setProblem(null);
    readPreview(workspace.id, latest.current, aborter.signal).then(
      (loaded) => aborter.signal.aborted || setPreview(loaded),
      (error: unknown) => aborter.signal.aborted || setProblem(error instanceof ApiError ? error.sentence : "Please try again"),
    );
    return () => aborter.abort();
  }, [workspace.id, latest, tries]);

  return (
    <Dialog open title="Preview" width="64rem" onClose={onClose}>
      <Stack>
        <ChoiceGroup legend="Shown as" hideLegend value={view} choices={views} onChange={setView} />
        {problem !== null ? (
          <Failure
            title="Couldn't load the preview"
            text={problem}
            action={<Button onClick={() => setTries(tries + 1)}>Try again</Button>}
          />
        ) : preview === null ? (
          <Loading label="Loading preview">
            <Stack className={css.waiting}>
              <Skeleton width="60%" height="2.5rem" />
              <Skeleton height="12rem" />
            </Stack>
          </Loading>
        ) : (
          <PreviewFrame view={view} preview={preview} />
        )}
      </Stack>
    </Dialog>
  );
}

async function readPreview(
  workspaceId: string,
  { post, read, facts }: Pick<PreviewDialogProps, "post" | "read" | "facts">,
  signal: AbortSignal,
) {
  const writing = await read();
  return await call(previewEndpoints.post, {
    params: { workspaceId },
    body: { post_id: post?.id, ...fieldsBody(writing), blocks: writing.content, ...facts },
    signal,
  });
}

function PreviewFrame({ view, preview }: { view: View; preview: PostPreview }) {
  if (view === "card") return <LinkCard card={preview.card} />;
  return view === "page" ? <PageFrame html={preview.page} /> : <WidgetFrame {...preview.widget} />;
}

/** The public page in a sandboxed frame without scripts, origin or popups. */
function PageFrame({ html }: { html: string }) {
  const frame = useRef<HTMLIFrameElement>(null);
  useEffect(() => {
    if (frame.current) frame.current.srcdoc = trustedFrameHtml(html);
  }, [html]);
  return <iframe ref={frame} sandbox="" className={css.frame} title="Post on your public page" />;
}

function WidgetFrame({ data, post }: PostPreview["widget"]) {
  const start = ({ contentWindow }: HTMLIFrameElement) => {
    if (!contentWindow) return;
    const viewOf = (open: boolean) => ({
      ...data,
      settings: { ...data.settings, behaviour: { ...data.settings.behaviour, delay: 0 as const, autoOpenNewPosts: open } },
    });
    startPreview(contentWindow as FrameWindow, viewOf, post).then(
      (frame) => frame.draw(),
      (error: unknown) => console.warn(error),
    );
  };
  return (
    // oxlint-disable-next-line react/iframe-missing-sandbox -- our own page and script
    <iframe className={css.frame} title="Post in the widget" srcDoc={samplePageHtml} onLoad={(event) => start(event.currentTarget)} />
  );
}
