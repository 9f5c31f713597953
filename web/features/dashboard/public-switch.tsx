import { useId } from "react";
import type { Workspace } from "#contract/workspaces.ts";
import { CopyButton } from "../../ui/copy-button.tsx";
import { Icon } from "../../ui/icon.tsx";
import { Row, Text } from "../../ui/layout.tsx";
import { Switch } from "../../ui/switch.tsx";
import { publicAddress, useConfig } from "../../lib/config.ts";
import { usePublicSwitch } from "./use-dashboard.ts";

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
    <Row nowrap style={{ minWidth: 0 }}>
      <Row as="a" gap={1} nowrap style={{ minWidth: 0 }} href={url} target="_blank" rel="noreferrer">
        <Text as="span" truncate>
          {url.replace(/^https?:\/\//, "")}
        </Text>
        <Icon name="external-link" />
        <span className="visually-hidden"> (opens in a new tab)</span>
      </Row>
      <CopyButton text={url} label="the public URL" />
    </Row>
  );
}
