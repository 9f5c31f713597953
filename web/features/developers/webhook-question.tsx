import { useState } from "react";
import { oldSecretHours } from "#contract/webhooks.ts";
import { ConfirmDialog } from "../../ui/confirm-dialog.tsx";
import { ApiError } from "../../lib/api-client.ts";
import { toasts } from "../../lib/toasts.ts";

export type WebhookQuestionAbout = "rotate" | "remove" | "off";

const questions: Readonly<Record<WebhookQuestionAbout, { title: string; verb: string; text: string; failed: string; danger: boolean }>> = {
  rotate: {
    title: "Create a new signing secret?",
    verb: "Create secret",
    text: `You'll see the new secret once. Requests are also signed with the old one for ${oldSecretHours} hours.`,
    failed: "Couldn't create a new secret",
    danger: false,
  },
  off: {
    title: "Turn off this webhook?",
    verb: "Turn off",
    text: "No events are sent until you turn it on again. Events missed meanwhile aren't sent later.",
    failed: "Couldn't turn off the webhook",
    danger: false,
  },
  remove: {
    title: "Permanently delete this webhook?",
    verb: "Delete",
    text: "No more events are sent, and its delivery log is deleted too. This can't be undone.",
    failed: "Couldn't delete the webhook",
    danger: true,
  },
};

interface WebhookQuestionProps {
  title: string;
  about: WebhookQuestionAbout;
  act: () => Promise<void>;
  onClose: () => void;
}

export function WebhookQuestion({ title, about, act, onClose }: WebhookQuestionProps) {
  const [busy, setBusy] = useState(false);
  const { verb, text, failed, danger, title: question } = questions[about];

  async function confirm() {
    setBusy(true);
    try {
      await act();
      onClose();
    } catch (error) {
      toasts.error(failed, error instanceof ApiError ? error.message : "Please try again later");
      setBusy(false);
    }
  }

  return (
    <ConfirmDialog title={question} confirm={verb} danger={danger} busy={busy} onConfirm={() => void confirm()} onClose={onClose}>
      <p>
        <strong>{title}</strong>
      </p>
      <p>{text}</p>
    </ConfirmDialog>
  );
}
