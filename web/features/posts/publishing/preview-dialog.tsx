import { useEffect, useRef, useState } from "react";
import type { Post } from "#contract/posts.ts";
import { previewEndpoints, type PostPreview, type PreviewInput } from "#contract/previews.ts";
import { Button } from "../../../ui/button.tsx";
import { ChoiceGroup } from "../../../ui/choice-group.tsx";
import { Dialog } from "../../../ui/dialog.tsx";
import { Failure } from "../../../ui/empty-state.tsx";
import { Loading, Skeleton } from "../../../ui/skeleton.tsx";
import { Row, Stack, Text } from "../../../ui/layout.tsx";
import { classNames } from "../../../lib/class-names.ts";
import { call, sentenceOf } from "../../../lib/api-client.ts";
import { trustedFrameHtml } from "../../../lib/trusted-types.ts";
import { useIsMobile } from "../../../lib/use-media-query.ts";
import { useLatest } from "../../../lib/use-latest.ts";
import { phoneWidth, type PreviewSide, SideChoice, usePreviewView, WidthChoice } from "../../../ui/preview-controls.tsx";
import { samplePageHtml, type FrameWindow, startPreview } from "../../widget-settings/preview-frame.ts";
import { useCurrentWorkspace } from "../../workspaces/current-workspace.tsx";
import type { Writing } from "../../session/write.ts";
import { LinkCard } from "./link-card.tsx";
import { previewInput, TestEmailButton } from "./test-email-button.tsx";
import css from "./preview.module.css";

interface PreviewDialogProps {
  post: Post | null;
  read(): Promise<Writing>;
  /** Of an import, which isn't emailed. */
  facts?: Pick<PreviewInput, "published_at" | "author">;
  onClose(): void;
}

const views = [
  { value: "page", label: "Page", icon: "file" },
  { value: "email", label: "Email", icon: "envelope" },
  { value: "widget", label: "Widget", icon: "megaphone" },
  { value: "card", label: "Link", icon: "link" },
] as const;
type View = (typeof views)[number]["value"];

export function PreviewDialog({ post, read, facts, onClose }: PreviewDialogProps) {
  const { workspace, canWrite } = useCurrentWorkspace();
  const isMobile = useIsMobile();
  const [view, setView] = useState<View>("page");
  const [preview, setPreview] = useState<PostPreview | null>(null);
  const [problem, setProblem] = useState<string | null>(null);
  const [tries, setTries] = useState(0);
  const latest = useLatest({ post, read, facts });
  const look = usePreviewView(preview?.theme ?? "system");

  useEffect(() => {
    const aborter = new AbortController();
    setProblem(null);
    readPreview(workspace.id, latest.current, aborter.signal).then(
      (loaded) => aborter.signal.aborted || setPreview(loaded),
      (error: unknown) => aborter.signal.aborted || setProblem(sentenceOf(error, "Please try again")),
    );
    return () => aborter.abort();
  }, [workspace.id, latest, tries]);

  return (
    <Dialog open title="Preview" width="64rem" onClose={onClose}>
      <Stack>
        <Row justify="between">
          <ChoiceGroup
            legend="Shown as"
            hideLegend
            value={view}
            choices={views
              .filter(({ value }) => !facts || value !== "email")
              .map(({ icon, ...choice }) => (isMobile ? choice : { ...choice, icon }))}
            onChange={setView}
          />
          {view !== "card" && (
            <Row>
              {!isMobile && <WidthChoice {...look} />}
              <SideChoice {...look} />
            </Row>
          )}
        </Row>
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
        ) : view === "card" ? (
          <LinkCard card={preview.card} />
        ) : (
          <>
            {view === "email" && (
              <Row justify="between">
                <Text>
                  Subject: <strong>{preview.email.subject}</strong>
                </Text>
                {canWrite && <TestEmailButton workspaceId={workspace.id} post={post} read={read} />}
              </Row>
            )}
            <div
              className={classNames(css.window, view === "email" && css.email)}
              style={{ maxWidth: look.width === "phone" ? phoneWidth : undefined }}
            >
              {view === "page" && <HtmlFrame title="Post on your public page" html={withScheme(preview.page, look.side)} />}
              {view === "email" && <HtmlFrame title="Post as an email" html={withScheme(preview.email.html, look.side)} />}
              {view === "widget" && <WidgetFrame key={look.side} {...preview.widget} side={look.side} />}
            </div>
          </>
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
  const body = { ...previewInput(post, await read()), ...facts };
  return await call(previewEndpoints.post, { params: { workspaceId }, body, signal });
}

/** Frames take their color scheme from the system, so the styles' conditions are decided here. */
const withScheme = (html: string, side: PreviewSide): string =>
  html.replace(/<style>.*?<\/style>|<source [^>]*>/gs, (part) =>
    part
      .replaceAll("(prefers-color-scheme: dark)", side === "dark" ? "all" : "not all")
      .replaceAll("color-scheme: light dark", `color-scheme: ${side}`),
  );

/** Our HTML in a sandboxed frame without scripts, origin or popups. */
function HtmlFrame({ title, html }: { title: string; html: string }) {
  const frame = useRef<HTMLIFrameElement>(null);
  useEffect(() => {
    if (frame.current) frame.current.srcdoc = trustedFrameHtml(html);
  }, [html]);
  return <iframe ref={frame} sandbox="" className={css.frame} title={title} />;
}

function WidgetFrame({ data, post, side }: PostPreview["widget"] & { side: PreviewSide }) {
  const { appearance, behaviour } = data.settings;
  const theme = appearance.theme === "system" ? side : appearance.theme;
  const start = ({ contentWindow }: HTMLIFrameElement) => {
    if (!contentWindow) return;
    contentWindow.document.documentElement.style.colorScheme = side;
    const viewOf = (open: boolean) => ({
      ...data,
      settings: { ...data.settings, appearance: { theme }, behaviour: { ...behaviour, delay: 0 as const, autoOpenNewPosts: open } },
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
