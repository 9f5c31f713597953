import type { Post } from "#contract/posts.ts";
import { previewEndpoints, type PreviewInput } from "#contract/previews.ts";
import { fieldsBody } from "#contract/rules/post-content.ts";
import { Button } from "../../../ui/button.tsx";
import { call } from "../../../lib/api-client.ts";
import { useAction } from "../../../lib/use-action.ts";
import type { Writing } from "../../session/write.ts";
import { sendToMe } from "../../../lib/send-to-me.ts";

interface TestEmailButtonProps {
  workspaceId: string;
  post: Post | null;
  read(): Promise<Writing>;
}

/** Sends the editor's content as subscribers would get it. */
export function TestEmailButton({ workspaceId, post, read }: TestEmailButtonProps) {
  const { running, run } = useAction();
  const send = async () => {
    const body = previewInput(post, await read());
    await sendToMe("Test email sent", call(previewEndpoints.testEmail, { params: { workspaceId }, body }));
  };
  return (
    <Button size="small" icon="send" busy={running !== undefined} onClick={() => void run("send", "Couldn't send the test email", send)}>
      Send me a test email
    </Button>
  );
}

export const previewInput = (post: Post | null, writing: Writing): PreviewInput => ({
  post_id: post?.id,
  ...fieldsBody(writing),
  blocks: writing.content,
});
