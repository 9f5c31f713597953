import { useId, useState, type FormEvent } from "react";
import type { z } from "zod";
import { type PreviewLink, previewDaysDefault, previewDaysMax, previewLinkInput, previewLinkEndpoints } from "#contract/preview-links.ts";
import type { Post } from "#contract/posts.ts";
import { Button } from "../../../components/button.tsx";
import { Checkbox } from "../../../components/checkbox.tsx";
import { CopyField } from "../../../components/copy-field.tsx";
import { Dialog } from "../../../components/dialog.tsx";
import { FieldFrame } from "../../../components/field-frame.tsx";
import { FormError } from "../../../components/form-error.tsx";
import { Input } from "../../../components/input.tsx";
import { ApiError, call } from "../../../lib/api-client.ts";
import { moment } from "../../../lib/moment.ts";
import { useCall } from "../../../lib/use-call.ts";
import { useNow } from "../../../lib/use-now.ts";
import { LinkRow } from "./link-row.tsx";
import css from "./share-dialog.module.css";

interface ShareDialogProps {
  post: Post;
  /** What is on the screen is not saved, and does not save itself. */
  behind: boolean;
  onClose(): void;
}

const failure = "The link was not made. Please try again.";
const tickMs = 30_000;

/** Links by which anybody reads this post before it is public: making one, and which there are. */
export function ShareDialog({ post, behind, onClose }: ShareDialogProps) {
  const { links, error, reload, create, revoke } = usePreviewLinks(post.id);
  const now = useNow(tickMs);
  const [made, setMade] = useState<PreviewLink | null>(null);
  const working = links?.filter(({ expires_at }) => Date.parse(expires_at) > now.getTime());

  return (
    <Dialog open title="Share a preview" width="36rem" onClose={onClose}>
      <div className={css.dialog}>
        <p className={css.note}>
          Whoever has the link reads this post without signing in: as it was last saved, on the page it will have. Nobody else sees it. Once
          it is published, the link leads to the post.
        </p>
        {behind && <p className={css.behind}>What you have changed since the last save is not in it. Save first to show it.</p>}
        <NewLink another={made !== null} onCreate={async (body) => setMade((await create(body)).link)} />
        {made && <MadeLink key={made.id} link={made} />}
        {error && (
          <p role="alert">
            The links could not be read.{" "}
            <Button size="small" icon="refresh" onClick={() => void reload()}>
              Try again
            </Button>
          </p>
        )}
        {working && working.length > 0 && (
          <section className={css.links} aria-labelledby="preview-links">
            <h3 id="preview-links">Links that work</h3>
            <ul role="list">
              {working.map((link) => (
                <LinkRow
                  key={link.id}
                  link={link}
                  now={now}
                  isNew={link.id === made?.id}
                  revoke={async () => {
                    await revoke(link);
                    if (link.id === made?.id) setMade(null);
                  }}
                />
              ))}
            </ul>
          </section>
        )}
      </div>
    </Dialog>
  );
}

function NewLink({ another, onCreate }: { another: boolean; onCreate(body: { days: number; allows_comments: boolean }): Promise<void> }) {
  const id = useId();
  const [days, setDays] = useState(String(previewDaysDefault));
  const [comments, setComments] = useState(false);
  const [busy, setBusy] = useState(false);
  const [fault, setFault] = useState<{ days?: string; form?: string }>({});

  async function submit(event: FormEvent) {
    event.preventDefault();
    if (busy) return;
    const parsed = previewLinkInput.safeParse({ days: days.trim() === "" ? Number.NaN : Number(days), allows_comments: comments });
    setFault(parsed.success ? {} : { days: parsed.error.issues[0]?.message });
    if (!parsed.success) return;
    setBusy(true);
    try {
      await onCreate(parsed.data);
    } catch (error) {
      setFault(faultOf(error));
    } finally {
      setBusy(false);
    }
  }

  return (
    <form className={css.form} noValidate onSubmit={(event) => void submit(event)}>
      {fault.form && <FormError message={fault.form} />}
      <FieldFrame
        id={id}
        label="Days until it ends"
        hint={`1 to ${previewDaysMax}. You can end it earlier at any time.`}
        error={fault.days}
      >
        <Input
          id={id}
          type="number"
          inputMode="numeric"
          min={1}
          max={previewDaysMax}
          step={1}
          className={css.days}
          value={days}
          autoFocus
          data-pc-autofocus
          aria-invalid={fault.days !== undefined}
          aria-describedby={[fault.days && `${id}-error`, `${id}-hint`].filter(Boolean).join(" ")}
          onChange={({ target }) => setDays(target.value)}
        />
      </FieldFrame>
      <Checkbox
        label="Readers may comment"
        note="With a name, beside a part of the text. You find what they say among the comments of this post."
        checked={comments}
        onChange={({ target }) => setComments(target.checked)}
      />
      <div>
        <Button type="submit" variant={another ? "secondary" : "primary"} icon="link" busy={busy}>
          {another ? "Make another link" : "Make a link"}
        </Button>
      </div>
    </form>
  );
}

function faultOf(error: unknown): { days?: string; form?: string } {
  if (!(error instanceof ApiError)) return { form: failure };
  const { days, ...others } = error.fields;
  return days ? { days } : { form: Object.values(others)[0] ?? error.message };
}

function MadeLink({ link }: { link: PreviewLink }) {
  return (
    <div className={css.made} role="group" aria-label="The new link">
      <p role="status">
        <strong>The link is ready.</strong> It works until {moment(link.expires_at)}.
      </p>
      <CopyField label="Link to the preview" text={link.url} what="the link to the preview" />
    </div>
  );
}

/** The links to a post's preview that have not ended, and what can be done with them. What writes throws an ApiError. */
function usePreviewLinks(postId: string) {
  const params = { id: postId };
  const { data, error, mutate } = useCall(previewLinkEndpoints.list, { params });
  return {
    links: data?.links,
    error,
    reload: () => mutate(),
    create: async (body: z.input<typeof previewLinkInput>) => {
      const made = await call(previewLinkEndpoints.create, { params, body });
      void mutate();
      return made;
    },
    revoke: async ({ id: linkId }: PreviewLink): Promise<void> => {
      await call(previewLinkEndpoints.revoke, { params: { ...params, linkId } });
      await mutate();
    },
  };
}
