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

/** A team with one of everything that calls are about, and the analytics add-on. Its post has the tag "sample". */
export async function newPlace(): Promise<{ team: Team; place: Place }> {
  const team = await newTeam();
  await sql`insert into public.workspace_add_ons (workspace_id, add_on) values (${team.workspaceId}, 'analytics')`;
  const { id: postId } = await newPost(team.editor, team.workspaceId, { tags: ["sample"] });
  const thread = await newThread(team.owner, postId);
  const { id: inviteId, token } = await newInvite(team.owner, team.workspaceId);
  return {
    team,
    place: {
      workspaceId: team.workspaceId,
      postId,
      memberId: team.editor.id,
      inviteId,
      linkId: (await newPreviewLink(team.editor, postId)).link.id,
      subscriberId: await newSubscriber(team.workspaceId),
      keyId: (await newKey(team.owner, team.workspaceId)).key.id,
      assistantId: await newConnection(team.owner, team.workspaceId),
      ...(await newReview(team, postId)), // before the webhook, which would have to be told of it
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
