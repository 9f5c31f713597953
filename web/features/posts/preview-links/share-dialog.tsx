import { useId, useState, type FormEvent } from "react";
import type { z } from "zod";
import { type PreviewLink, previewDaysDefault, previewDaysMax, previewLinkInput, previewLinkEndpoints } from "#contract/preview-links.ts";
import type { Post } from "#contract/posts.ts";
import { Button } from "../../../ui/button.tsx";
import { Checkbox } from "../../../ui/checkbox.tsx";
import { CopyField } from "../../../ui/copy-field.tsx";
import { Dialog } from "../../../ui/dialog.tsx";
import { FieldFrame } from "../../../ui/field-frame.tsx";
import { FormError } from "../../../ui/form-error.tsx";
import { Input } from "../../../ui/input.tsx";
import { ApiError, call } from "../../../lib/api-client.ts";
import { moment } from "../../../lib/moment.ts";
import { useCall } from "../../../lib/use-call.ts";
import { useNow } from "../../../lib/use-now.ts";
import { LinkRow } from "./link-row.tsx";
import { Stack, Text } from "../../../ui/layout.tsx";

interface ShareDialogProps {
  post: Post;
  behind: boolean;
  onClose(): void;
}

const failure = "Couldn't create the link. Try again.";
const tickMs = 30_000;

export function ShareDialog({ post, behind, onClose }: ShareDialogProps) {
  const { links, error, reload, create, revoke } = usePreviewLinks(post.id);
  const now = useNow(tickMs);
  const [created, setCreated] = useState<PreviewLink | null>(null);
  const [busy, setBusy] = useState(false);
  const formId = useId();
  const active = links?.filter(({ expires_at }) => Date.parse(expires_at) > now.getTime());

  async function add(body: NewLinkInput) {
    setBusy(true);
    try {
      setCreated((await create(body)).link);
    } finally {
      setBusy(false);
    }
  }

  return (
    <Dialog
      open
      title="Share preview"
      width="36rem"
      hasForm
      onClose={onClose}
      footer={
        <>
          <Button onClick={onClose}>{created ? "Done" : active?.length ? "Close" : "Cancel"}</Button>
          <Button type="submit" form={formId} variant={created ? "secondary" : "primary"} icon="link" busy={busy}>
            {created ? "Create another link" : "Create link"}
          </Button>
        </>
      }
    >
      <Stack gap={6}>
        <Text tone="muted">
          Anyone with the link can view the last saved version without signing in. After you publish, it opens the live post.
        </Text>
        {behind && <Text tone="warn">Your latest changes aren't included. Save first to share them.</Text>}
        <NewLink id={formId} busy={busy} onCreate={add} />
        {created && <CreatedLink key={created.id} link={created} />}
        {error && (
          <p role="alert">
            Couldn't load the links.{" "}
            <Button size="small" icon="refresh" onClick={() => void reload()}>
              Try again
            </Button>
          </p>
        )}
        {active && active.length > 0 && (
          <Stack as="section" gap={2} aria-labelledby="preview-links">
            <h3 id="preview-links">Active links</h3>
            <Stack as="ul" gap={0} divided role="list">
              {active.map((link) => (
                <LinkRow
                  key={link.id}
                  link={link}
                  now={now}
                  isNew={link.id === created?.id}
                  revoke={async () => {
                    await revoke(link);
                    if (link.id === created?.id) setCreated(null);
                  }}
                />
              ))}
            </Stack>
          </Stack>
        )}
      </Stack>
    </Dialog>
  );
}

type NewLinkInput = z.infer<typeof previewLinkInput>;

function NewLink({ id: formId, busy, onCreate }: { id: string; busy: boolean; onCreate(body: NewLinkInput): Promise<void> }) {
  const id = useId();
  const [days, setDays] = useState(String(previewDaysDefault));
  const [comments, setComments] = useState(false);
  const [fault, setFault] = useState<{ days?: string; form?: string }>({});

  async function submit(event: FormEvent) {
    event.preventDefault();
    if (busy) return;
    const parsed = previewLinkInput.safeParse({ days: days.trim() === "" ? Number.NaN : Number(days), allows_comments: comments });
    setFault(parsed.success ? {} : { days: parsed.error.issues[0]?.message });
    if (!parsed.success) return;
    try {
      await onCreate(parsed.data);
    } catch (error) {
      setFault(faultOf(error));
    }
  }

  return (
    <Stack as="form" id={formId} noValidate onSubmit={(event) => void submit(event)}>
      {fault.form && <FormError message={fault.form} />}
      <FieldFrame id={id} label="Expires after (days)" hint={`1 to ${previewDaysMax}. You can revoke it at any time.`} error={fault.days}>
        <Input
          id={id}
          type="number"
          inputMode="numeric"
          min={1}
          max={previewDaysMax}
          step={1}
          style={{ width: "6rem" }}
          value={days}
          autoFocus
          data-pc-autofocus
          aria-invalid={fault.days !== undefined}
          aria-describedby={[fault.days && `${id}-error`, `${id}-hint`].filter(Boolean).join(" ")}
          onChange={({ target }) => setDays(target.value)}
        />
      </FieldFrame>
      <Checkbox
        label="Readers can comment"
        note="They enter a name. Their comments appear in this post's comments."
        checked={comments}
        onChange={({ target }) => setComments(target.checked)}
      />
    </Stack>
  );
}

function faultOf(error: unknown): { days?: string; form?: string } {
  if (!(error instanceof ApiError)) return { form: failure };
  const { days, ...others } = error.fields;
  return days ? { days } : { form: Object.values(others)[0] ?? error.message };
}

function CreatedLink({ link }: { link: PreviewLink }) {
  return (
    <Stack gap={2} role="group" aria-label="New link">
      <p role="status">
        <strong>The link is ready.</strong> It expires {moment(link.expires_at)}.
      </p>
      <CopyField label="Preview link" text={link.url} buttonLabel="the preview link" />
    </Stack>
  );
}

/** A post's preview links and their actions, which throw an ApiError. */
function usePreviewLinks(postId: string) {
  const params = { id: postId };
  const { data, error, mutate } = useCall(previewLinkEndpoints.list, { params });
  return {
    links: data?.links,
    error,
    reload: () => mutate(),
    create: async (body: z.input<typeof previewLinkInput>) => {
      const created = await call(previewLinkEndpoints.create, { params, body });
      void mutate();
      return created;
    },
    revoke: async ({ id: linkId }: PreviewLink): Promise<void> => {
      await call(previewLinkEndpoints.revoke, { params: { ...params, linkId } });
      await mutate();
    },
  };
}
