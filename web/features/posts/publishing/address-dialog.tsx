import { z } from "zod";
import { type Post, postSlug } from "#contract/posts.ts";
import { Button } from "../../../components/button.tsx";
import { ContractForm } from "../../../components/contract-form.tsx";
import { Dialog } from "../../../components/dialog.tsx";
import { TextField } from "../../../components/text-field.tsx";
import { toasts } from "../../../lib/toasts.ts";
import { updatePost } from "../post-calls.ts";
import { emitPostEvent } from "../post-events.ts";
import { summaryOf } from "../post-summary.ts";
import css from "./address-dialog.module.css";

interface AddressDialogProps {
  post: Post;
  onClose(): void;
}

const addressForm = z.object({ slug: postSlug });

/** Another public address for a post whose title no longer decides. What is unsaved stays so. Source: product decision 5. */
export function AddressDialog({ post, onClose }: AddressDialogProps) {
  async function change({ slug }: z.output<typeof addressForm>) {
    if (slug !== post.slug) {
      const saved = await updatePost(post.id, { slug, version: post.version }, crypto.randomUUID());
      emitPostEvent({ type: "post-upserted", workspaceId: saved.workspace_id, post: summaryOf(saved) });
      toasts.success("Address changed", "The one before leads to it.");
    }
    onClose();
  }

  return (
    <Dialog open title="Change the address" onClose={onClose}>
      <ContractForm
        schema={addressForm}
        initialValues={{ slug: post.slug }}
        failure="The address was not changed. Please try again later."
        onSubmit={change}
      >
        {({ submitting }) => (
          <>
            <TextField name="slug" label="Address of the post, after /releases/" autoComplete="off" autoFocus />
            <p className={css.note}>Links to the present address go on working: they lead to the new one.</p>
            <div className={css.buttons}>
              <Button onClick={onClose}>Cancel</Button>
              <Button type="submit" variant="primary" busy={submitting}>
                Change
              </Button>
            </div>
          </>
        )}
      </ContractForm>
    </Dialog>
  );
}
