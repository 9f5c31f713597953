import { useState } from "react";
import { Link, useNavigate, useParams } from "react-router-dom";
import { Button, ButtonLink, buttonClass } from "../ui/button.tsx";
import { EmptyState } from "../ui/empty-state.tsx";
import { Icon } from "../ui/icon.tsx";
import { PageTitle } from "../ui/page-title.tsx";
import { PopupMenu } from "../ui/popup-menu.tsx";
import { ListLoading } from "../ui/list-loading.tsx";
import { DeliveryLog } from "../features/developers/delivery-log.tsx";
import { useWebhookActions } from "../features/developers/use-webhook-actions.tsx";
import { useTags, useWebhooks } from "../features/developers/use-webhooks.ts";
import { WebhookState } from "../features/developers/webhook-state.tsx";
import { chatLabels, eventLabels, titleOf } from "../features/developers/webhook-labels.ts";
import { useCurrentWorkspace } from "../features/workspaces/current-workspace.tsx";
import { paths } from "../lib/paths.ts";
import { Note, Row, Stack } from "../ui/layout.tsx";

export function Component() {
  const { webhookId = "" } = useParams();
  const { workspace } = useCurrentWorkspace();
  return <WebhookPage key={`${workspace.id} ${webhookId}`} workspaceId={workspace.id} webhookId={webhookId} context={workspace.name} />;
}

function WebhookPage({ workspaceId, webhookId, context }: { workspaceId: string; webhookId: string; context: string }) {
  const navigate = useNavigate();
  const list = useWebhooks(workspaceId);
  const tags = useTags(workspaceId);
  const [pings, setPings] = useState(0);
  const actions = useWebhookActions({
    ...{ workspaceId, list, tags },
    onPinged: () => setPings(pings + 1),
    onRemoved: () => void navigate(paths.settings(workspaceId, "webhooks")),
  });
  const webhook = list.webhooks?.find(({ id }) => id === webhookId);
  const isChat = webhook !== undefined && webhook.kind !== "webhook";
  const back = paths.settings(workspaceId, isChat ? "chat" : "webhooks");
  const title = webhook ? titleOf(webhook) : "Webhook";

  return (
    <Stack gap={6}>
      <Row gap={1}>
        <Icon name="angle-left" />
        <Link to={back}>{isChat ? "Chat" : "Webhooks"}</Link>
      </Row>
      <PageTitle
        title={title}
        subtitle={webhook && (webhook.kind === "webhook" ? webhook.url : `${chatLabels[webhook.kind].name} · ${webhook.url}`)}
        context={context}
      />
      {webhook ? (
        <>
          <Row gap={4} justify="between">
            <div>
              <WebhookState webhook={webhook} />
              <Note>Events: {webhook.events.map((event) => eventLabels[event].label.toLowerCase()).join(", ")}</Note>
            </div>
            <Row>
              {webhook.enabled ? (
                <Button icon="send" onClick={() => void actions.ping(webhook)}>
                  Send test
                </Button>
              ) : (
                <Button icon="check-circle" variant="primary" onClick={() => void actions.enable(webhook)}>
                  Switch on
                </Button>
              )}
              <PopupMenu className={buttonClass({})} label={`Actions for ${title}`} choices={actions.choices(webhook)}>
                <Icon name="ellipsis-h" />
              </PopupMenu>
            </Row>
          </Row>
          <DeliveryLog workspaceId={workspaceId} webhook={webhook} testCount={pings} />
        </>
      ) : list.webhooks ? (
        <EmptyState
          drawing="signpost"
          title="Webhook not found"
          text="It may have been deleted."
          action={
            <ButtonLink to={back} variant="primary">
              All webhooks
            </ButtonLink>
          }
        />
      ) : (
        <ListLoading label="the webhook" error={list.error} rows={3} onRetry={() => void list.reload()} />
      )}
      {actions.dialogs}
    </Stack>
  );
}
