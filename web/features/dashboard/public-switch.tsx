import { useId } from "react";
import type { Workspace } from "#contract/workspaces.ts";
import { CopyButton } from "../../ui/copy-button.tsx";
import { Icon } from "../../ui/icon.tsx";
import { Row, Text } from "../../ui/layout.tsx";
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
    <Row as="section" gap={6} aria-label="Public Changelog" style={{ rowGap: "var(--space-1)" }}>
      <Row gap={3}>
        <Switch id={id} checked={enabled} busy={busy} onChange={(value) => void change(value)} />
        <Text as="label" strong htmlFor={id}>
          Public Changelog
        </Text>
      </Row>
      {enabled && host ? <Address url={publicAddress(workspace, host)} /> : <Text tone="muted">Only members can read your posts.</Text>}
    </Row>
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
