import { z } from "zod";
import { type Post, postSlug } from "#contract/posts.ts";
import { FormDialog } from "../../../ui/form-dialog.tsx";
import { Text } from "../../../ui/layout.tsx";
import { TextField } from "../../../ui/text-field.tsx";
import { toasts } from "../../../lib/toasts.ts";
import { updatePost } from "../post-calls.ts";
import { emitPostEvent } from "../post-events.ts";
import { summaryOf } from "../post-summary.ts";

interface AddressDialogProps {
  post: Post;
  onClose(): void;
}

const addressForm = z.object({ slug: postSlug });

/** Changes a published post's slug. Unsaved changes stay. Source: product decision 5. */
export function AddressDialog({ post, onClose }: AddressDialogProps) {
  async function change({ slug }: z.output<typeof addressForm>) {
    if (slug !== post.slug) {
      const saved = await updatePost(post.id, { slug, version: post.version }, crypto.randomUUID());
      emitPostEvent({ type: "post-upserted", workspaceId: saved.workspace_id, post: summaryOf(saved) });
      toasts.success("URL changed", "The old URL redirects here.");
    }
    onClose();
  }

  return (
    <FormDialog
      title="Change URL"
      width="28rem"
      verb="Save"
      schema={addressForm}
      initialValues={{ slug: post.slug }}
      failure="Couldn't change the URL. Try again later."
      onSubmit={change}
      onClose={onClose}
    >
      <TextField name="slug" label="Post URL, after /releases/" autoComplete="off" autoFocus />
      <Text tone="muted">Existing links will redirect to the new URL.</Text>
    </FormDialog>
  );
}
