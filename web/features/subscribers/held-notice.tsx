import { WarningBox } from "../../ui/form-error.tsx";
import { moment } from "../../lib/moment.ts";
import { useMailSettings } from "./use-subscribers.ts";

const reasons = {
  bounces: "too many recent emails bounced",
  complaints: "too many readers marked its emails as spam",
} as const;

/** Shows why sending is on hold. */
export function HeldNotice({ workspaceId }: { workspaceId: string }) {
  const { settings } = useMailSettings(workspaceId);
  if (!settings?.held_at) return null;
  return (
    <WarningBox role="alert">
      <p>
        <strong>Emails from this workspace are on hold</strong> since <time dateTime={settings.held_at}>{moment(settings.held_at)}</time>
        {settings.held_reason && <>, because {reasons[settings.held_reason]}</>}.
      </p>
      <p>Queued emails aren't lost. Ask your administrator to resume sending and tell them how you collected these addresses.</p>
    </WarningBox>
  );
}
