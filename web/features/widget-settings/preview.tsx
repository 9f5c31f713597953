import { type ReactNode, useCallback, useMemo } from "react";
import { appearanceEndpoints } from "#contract/appearance.ts";
import { defaultAppearance } from "#contract/appearance-choices.ts";
import type { Workspace } from "#contract/workspaces.ts";
import { publicAddress, useConfig } from "../../lib/config.ts";
import { useCall } from "../../lib/use-call.ts";
import { Stack } from "../../ui/layout.tsx";
import sample from "./assets/sample.svg";
import type { WidgetForm } from "./form.ts";
import { previewData } from "./preview-data.ts";
import { samplePageHtml } from "./preview-frame.ts";
import { usePreview } from "./use-preview.ts";
import css from "./preview.module.css";

/** Mock browser with the real widget. */
export function Preview({ form, workspace, children }: { form: WidgetForm; workspace: Workspace; children: ReactNode }) {
  const host = useConfig()?.host ?? location.host;
  const { id, name, subdomain, domain } = workspace;
  const params = useMemo(() => ({ workspaceId: id }), [id]);
  const { data: look = defaultAppearance } = useCall(appearanceEndpoints.get, { params });
  const target = useMemo(() => ({ name, url: publicAddress({ subdomain, domain }, host) }), [name, subdomain, domain, host]);
  const dataOf = useCallback(
    (open: boolean) => previewData(form, look, target, new URL(sample, location.href).href, open, new Date()),
    [form, look, target],
  );
  const load = usePreview(dataOf);

  return (
    <Stack as="section" className={css.preview} aria-label="Live preview">
      <div className={css.browser}>
        <div className={css.bar} aria-hidden="true">
          <span className={css.dots} />
          <span className={css.address}>{workspace.origin?.replace(/^https?:\/\//, "") ?? "your-site.example"}</span>
        </div>
        {/* oxlint-disable-next-line react/iframe-missing-sandbox -- our own page and script */}
        <iframe className={css.page} title="Widget preview" srcDoc={samplePageHtml} onLoad={(event) => load(event.currentTarget)} />
      </div>
      {children}
    </Stack>
  );
}
