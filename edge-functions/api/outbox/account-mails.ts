import type { AnswerOf } from "#contract/database.ts";
import type { Env } from "../../_shared/env.ts";
import type { Task } from "../../_shared/jobs.ts";
import { type Mail, sendMail } from "../../_shared/mail.ts";
import { mailPage, mailText } from "../../_shared/mail-page.ts";
import type { Outbox } from "../../_shared/outbox.ts";

type AccountMail = AnswerOf<"account_email">[number];

export function sendAccountEmails(env: Env, outbox: Outbox): Task {
  return {
    concurrency: 4,
    async run({ id }) {
      const email = await outbox.accountEmail(id);
      if (email !== null && !(await sendMail(env, accountMail(email, env.publicUrl), id))) throw new Error("not sent");
    },
  };
}

function accountMail(mail: AccountMail, publicUrl: string): Mail {
  if (mail.kind === "account_deleted") return deletionMail(mail.old_email, publicUrl);
  if (mail.kind === "factor_reset") return factorResetMail(mail, publicUrl);
  const change = credentialChanges[mail.kind];
  return change ? credentialMail(mail, change, publicUrl) : emailChangeMail(mail, publicUrl);
}

const credentialChanges: Record<string, { title: string; text: string; canUndo?: true }> = {
  password_changed: {
    title: "Your password was changed",
    text: "You now sign in to Tidings with your new password. Your other sessions have ended.",
    canUndo: true,
  },
  factor_added: {
    title: "An authenticator app was added",
    text: "Signing in to Tidings with your account now also takes a code from this app.",
    canUndo: true,
  },
  factor_removed: { title: "An authenticator app was removed", text: "Its codes no longer work for your Tidings account.", canUndo: true },
  recovery_code_used: {
    title: "A recovery code was used",
    text: "Someone used one of your recovery codes for Tidings. It doesn’t work again.",
  },
  single_sign_on_linked: {
    title: "You signed in with single sign-on",
    text: "Your company’s sign-in now opens your Tidings account. Your former password no longer works, and your other sessions have ended.",
  },
};

function credentialMail(
  { old_email: to, kind, token }: AccountMail,
  { title, text, canUndo }: { title: string; text: string; canUndo?: true },
  publicUrl: string,
): Mail {
  const action =
    canUndo && token !== null // an operator's removal has none
      ? {
          button: "Undo the change",
          url: `${publicUrl}/auth/undo-change?kind=${kind}&token=${token}`,
          note: "If this wasn’t you, undo it within 24 hours. That also signs out every device and removes the password.",
        }
      : {
          button: "Open your settings",
          url: `${publicUrl}/settings/security`,
          note: "If this wasn’t you, choose a new password (“Forgot password?”) and sign out everywhere else.",
        };
  const words = { title, text, ...action };
  return { to, subject: title, text: mailText(words), html: mailPage(words) };
}

function factorResetMail({ old_email: to, kind, token }: AccountMail, publicUrl: string): Mail {
  const title = "Your two-factor authentication will be reset";
  const words = {
    title,
    text: "The owner of your workspace asked to remove your authenticator apps and recovery codes. It happens in 24 hours, and signs out every device.",
    button: "Keep or remove",
    url: `${publicUrl}/auth/undo-change?kind=${kind}&token=${token}`,
    note: "If you didn’t lose your authenticator app, keep it. Signing in with a code keeps it too.",
  };
  return { to, subject: title, text: mailText(words), html: mailPage(words) };
}

function deletionMail(to: string, publicUrl: string): Mail {
  const words = {
    title: "Your account was deleted",
    text: "We deleted your Tidings account and your personal data. Posts you wrote stay in their workspaces under your name.",
    button: "Open Tidings",
    url: publicUrl,
    note: "If you didn’t delete your account, contact the owner of your workspace.",
  };
  return { to, subject: "Your Tidings account was deleted", text: mailText(words), html: mailPage(words) };
}

/** To the old address: when a change is requested, and when it's done. */
function emailChangeMail({ kind, old_email: to, new_email: email, token }: AccountMail, publicUrl: string): Mail {
  const isDone = kind === "email_changed";
  const words = {
    title: isDone ? "Your email address was changed" : "A change of your email address was requested",
    text: isDone
      ? `You now sign in to Tidings with ${email}. If you didn’t change it, undo the change. That also signs out every device and removes the password.`
      : `Someone with your password asked to change your sign-in address to ${email}. If that wasn’t you, cancel the change. That also signs out every device and removes the password.`,
    button: isDone ? "Undo the change" : "Cancel the change",
    url: `${publicUrl}/auth/undo-email-change?token=${token}`,
    note: "The link works for seven days. If you made the change yourself, you don’t need to do anything.",
  };
  return {
    to,
    subject: isDone ? "Your Tidings email address was changed" : "Change of your Tidings email address",
    text: mailText(words),
    html: mailPage(words),
  };
}
