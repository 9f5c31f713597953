import { useId } from "react";
import type { Workspace } from "#contract/workspaces.ts";
import { CopyButton } from "../../ui/copy-button.tsx";
import { Icon } from "../../ui/icon.tsx";
import { Switch } from "../../ui/switch.tsx";
import { publicAddress, useConfig } from "../../lib/config.ts";
import { usePublicSwitch } from "./use-dashboard.ts";
import css from "./public-switch.module.css";

/** Owner only. Shows the page's URL while it is on. */
export function PublicSwitch({ workspace, enabled }: { workspace: Workspace; enabled: boolean }) {
  const id = useId();
  const host = useConfig()?.host;
  const { busy, change } = usePublicSwitch(workspace.id);

  return (
    <section className={css.band} aria-label="Public Changelog">
      <div className={css.switch}>
        <Switch id={id} checked={enabled} busy={busy} onChange={(value) => void change(value)} />
        <label htmlFor={id}>Public Changelog</label>
      </div>
      {enabled && host ? <Address url={publicAddress(workspace, host)} /> : <p className={css.off}>Only members can read your posts.</p>}
    </section>
  );
}

function Address({ url }: { url: string }) {
  return (
    <div className={css.address}>
      <a href={url} target="_blank" rel="noreferrer" className={css.link}>
        <span className={css.url}>{url.replace(/^https?:\/\//, "")}</span>
        <Icon name="external-link" className={css.icon} />
        <span className="visually-hidden"> (opens in a new tab)</span>
      </a>
      <CopyButton text={url} label="the public URL" />
    </div>
  );
}
