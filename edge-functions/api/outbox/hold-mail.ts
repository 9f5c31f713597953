import { escapeHtml } from "#contract/blocks/text.ts";
import type { AnswerOf } from "#contract/database.ts";
import type { Message } from "../../_shared/mail.ts";
import { button, mailFrame } from "./mail-frame.ts";

/** Tells the owner of a workspace that nothing of it goes out any more. From the installation itself: who wrote it is nobody's to choose. */
export function holdMail(delivery: AnswerOf<"claim_mails">[number], publicUrl: string): Message {
  const { id, email, workspace_id: workspace, workspace_name: name } = delivery;
  const [subject, href] = [`Mails of ${name} are on hold`, `${publicUrl}/workspace/${workspace}/subscribers`];
  const sentences = [
    `Too many of the last mails of ${name} came back, or were called spam by who got them. So that mails of others still arrive, no more go out for now.`,
    "What is waiting is not lost. Whoever runs this installation has to look at it and let it go on; please tell them where the addresses came from.",
  ];
  const reason = `You get this because you own ${name}.`;
  return {
    to: email,
    subject,
    html: mailFrame({
      name,
      home: publicUrl,
      logo: null,
      subject,
      preheader: sentences[0]!,
      body: `${sentences.map((sentence) => `<p style="margin:0 0 16px">${escapeHtml(sentence)}</p>`).join("\n")}${button(href, "See your subscribers")}`,
      foot: escapeHtml(reason),
    }),
    text: `${sentences.join("\n\n")}\n\nSee your subscribers: ${href}\n\n--\n${reason}\n`,
    key: id,
    headers: { "Message-ID": `<${id}@${new URL(publicUrl).hostname}>`, "Auto-Submitted": "auto-generated" },
  };
}
