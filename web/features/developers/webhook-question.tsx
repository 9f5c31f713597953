import { useState } from "react";
import { oldSecretHours } from "#contract/webhooks.ts";
import { ConfirmDialog } from "../../components/confirm-dialog.tsx";
import { ApiError } from "../../lib/api-client.ts";
import { toasts } from "../../lib/toasts.ts";

export type WebhookQuestionAbout = "rotate" | "remove" | "off";

const words: Readonly<Record<WebhookQuestionAbout, { title: string; verb: string; text: string; failed: string; danger: boolean }>> = {
  rotate: {
    title: "Make a new signing secret?",
    verb: "Make a new secret",
    text: `You get it once. For ${oldSecretHours} hours each request is signed with the old one as well, so that you can change it where you check; then only with the new one.`,
    failed: "There is no new secret",
    danger: false,
  },
  off: {
    title: "Switch it off?",
    verb: "Switch off",
    text: "Nothing is sent until somebody switches it on again. What happens meanwhile is not sent later by itself.",
    failed: "It was not switched off",
    danger: false,
  },
  remove: {
    title: "Delete it for good?",
    verb: "Delete",
    text: "Nothing more is sent to it, and its log of deliveries goes too.",
    failed: "It was not deleted",
    danger: true,
  },
};

interface WebhookQuestionProps {
  title: string;
  about: WebhookQuestionAbout;
  act: () => Promise<void>;
  onClose: () => void;
}

/** One question before something that others notice. */
export function WebhookQuestion({ title, about, act, onClose }: WebhookQuestionProps) {
  const [busy, setBusy] = useState(false);
  const { verb, text, failed, danger, title: question } = words[about];

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
