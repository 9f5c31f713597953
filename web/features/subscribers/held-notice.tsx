import { WarningBox } from "../../components/warning-box.tsx";
import { moment } from "../../lib/moment.ts";
import { useMailSettings } from "./use-subscribers.ts";

const reasons = {
  bounces: "too many of its last mails came back",
  complaints: "too many readers called its mails spam",
} as const;

/** Says that nothing goes out, why, and what is to be done; nothing where mails go out. */
export function HeldNotice({ workspaceId }: { workspaceId: string }) {
  const { settings } = useMailSettings(workspaceId);
  if (!settings?.held_at) return null;
  return (
    <WarningBox role="alert">
      <p>
        <strong>Mails of this workspace are on hold</strong> since <time dateTime={settings.held_at}>{moment(settings.held_at)}</time>
        {settings.held_reason && <>, because {reasons[settings.held_reason]}</>}.
      </p>
      <p>What is waiting is not lost. Whoever runs this installation can let it go on; tell them where the addresses came from.</p>
    </WarningBox>
  );
}
