import {
  newConnection,
  newImport,
  newInvite,
  newKey,
  newPost,
  newPreviewLink,
  newReportRecipient,
  newReview,
  newSubscriber,
  newTeam,
  newTemplate,
  newThread,
  newWebhook,
  sql,
  type Team,
} from "./people.ts";
import type { Place } from "./samples.ts";

export async function newPlace(): Promise<{ team: Team; place: Place }> {
  const team = await newTeam();
  await sql`insert into public.workspace_add_ons (workspace_id, add_on) values (${team.workspaceId}, 'analytics')`;
  const { id: postId } = await newPost(team.editor, team.workspaceId, { tags: ["sample"] });
  // before the webhook, which would receive them
  const [thread, { id: inviteId, token }, { link }, { key }, assistantId, review] = await Promise.all([
    newThread(team.owner, postId),
    newInvite(team.owner, team.workspaceId),
    newPreviewLink(team.editor, postId),
    newKey(team.owner, team.workspaceId),
    newConnection(team.owner, team.workspaceId),
    newReview(team, postId),
  ]);
  return {
    team,
    place: {
      workspaceId: team.workspaceId,
      postId,
      memberId: team.editor.id,
      inviteId,
      linkId: link.id,
      subscriberId: await newSubscriber(team.workspaceId),
      keyId: key.id,
      assistantId,
      ...review,
      ...(await newWebhook(team.workspaceId)),
      recipientId: await newReportRecipient(team.workspaceId),
      importId: await newImport(team.workspaceId),
      templateId: await newTemplate(team.workspaceId),
      threadId: thread.id,
      commentId: thread.comments[0]!.id,
      token,
    },
  };
}
