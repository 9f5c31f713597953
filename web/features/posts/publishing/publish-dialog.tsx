import type { Audience } from "#contract/rules/audience.ts";
import { audienceWords } from "../details/audience-rows.ts";
import { useState } from "react";
import { type Post, postSlug, type Publication } from "#contract/posts.ts";
import { defaultSchedule, earliestDay, latestDay, publishTime, quickTimes, scheduleOf } from "#contract/rules/schedule.ts";
import { slug as slugOf } from "#contract/rules/slug.ts";
import { Button } from "../../../ui/button.tsx";
import { Checkbox } from "../../../ui/checkbox.tsx";
import { ChoiceGroup } from "../../../ui/choice-group.tsx";
import { Dialog } from "../../../ui/dialog.tsx";
import { Icon } from "../../../ui/icon.tsx";
import { Row, Stack } from "../../../ui/layout.tsx";
import { publicAddress, useConfig } from "../../../lib/config.ts";
import type { Intent, Notice, Writing } from "../../session/write.ts";
import { useCurrentWorkspace } from "../../workspaces/current-workspace.tsx";
import { ChangelogOff } from "./changelog-off.tsx";
import { hasReaders, MailFacts, useMailAudience } from "./mail-facts.tsx";
import { PostUrl } from "./post-url.tsx";
import { scheduleProblem } from "./schedule-problem.ts";
import { TestEmailButton } from "./test-email-button.tsx";
import { TimeFields } from "./time-fields.tsx";
import css from "./publishing.module.css";

export type PublishWhen = "now" | "later";

interface PublishDialogProps {
  post: Post | null;
  title: string;
  tags: readonly string[];
  /** Null: everyone. */
  shownTo: Audience | null;
  when: PublishWhen;
  busy: Intent["kind"] | null;
  /** The server's answer to the chosen slug. */
  slugProblem: string | null;
  read(): Promise<Writing>;
  onPublish(publication: Publication): void;
  /** ISO 8601, in the future. */
  onSchedule(publishAt: string, publication: Publication): void;
  onUnschedule(): void;
  onPreview(): void;
  onClose(): void;
}

/** Confirms publishing or scheduling, with the URL, visibility and emails. Source: specification, sections 2 and 5. */
export function PublishDialog({ post, title, tags, shownTo, when: first, busy, slugProblem, read, ...actions }: PublishDialogProps) {
  const { workspace, role } = useCurrentWorkspace();
  const host = useConfig()?.host;
  const [when, setWhen] = useState(first);
  const publishAt = post?.status === "scheduled" ? post.publish_at : null;
  const [choice, setChoice] = useState(() => (publishAt ? scheduleOf(publishAt) : defaultSchedule(new Date())));
  const [problem, setProblem] = useState<Notice | null>(null);
  const audience = useMailAudience(workspace.id, tags, post?.id);
  const [chosen, setChosen] = useState<boolean | null>(null);
  const emails = chosen ?? audience?.quiet !== true;
  const [opens, setOpens] = useState(true);
  const canOpen = role === "owner" && !workspace.public_changelog_enabled;
  const isPublic = workspace.public_changelog_enabled || (canOpen && opens);
  const isEmailed = isPublic && shownTo === null;
  const ownSlug = post && (post.published_at !== null || post.title === title.trim()) ? post.slug : slugOf(title);
  const [typedSlug, setTypedSlug] = useState<string | null>(null);
  const [sentSlug, setSentSlug] = useState<string | null>();
  const slug = postSlug.safeParse(typedSlug ?? ownSlug);

  const submit = () => {
    setSentSlug(typedSlug);
    const invalid = when === "now" ? null : scheduleProblem(choice.day, choice.time, new Date());
    setProblem(invalid);
    if (!slug.success || invalid) return;
    const publication: Publication = {
      ...(slug.data !== ownSlug && { slug: slug.data }),
      ...(isEmailed && audience && hasReaders(audience) && { notify: emails }),
      ...(canOpen && opens && { public_changelog_enabled: true }),
    };
    const at = publishTime(choice.day, choice.time);
    if (when === "now") actions.onPublish(publication);
    else if (at) actions.onSchedule(at, publication);
  };
  const change = (next: typeof choice) => {
    setChoice(next);
    setProblem(null);
  };

  return (
    <Dialog
      open
      title={when === "now" ? "Publish this post?" : "Schedule publication"}
      onClose={actions.onClose}
      width="32rem"
      hasForm
      footer={
        <>
          {publishAt ? (
            <Button variant="quiet" className={css.aside} icon="calendar-times" busy={busy === "unschedule"} onClick={actions.onUnschedule}>
              Unschedule
            </Button>
          ) : (
            <Button variant="quiet" className={css.aside} icon="eye" onClick={actions.onPreview}>
              Preview
            </Button>
          )}
          <Button onClick={actions.onClose}>Cancel</Button>
          {when === "now" ? (
            <Button
              data-pc-autofocus // for PrimeReact's dialog: Enter confirms
              variant="primary"
              icon="send"
              busy={busy === "publish"}
              onClick={submit}
            >
              Publish
            </Button>
          ) : (
            <Button
              data-pc-autofocus // for PrimeReact's dialog: Enter confirms
              variant="primary"
              icon="clock"
              busy={busy === "schedule"}
              onClick={submit}
            >
              Schedule
            </Button>
          )}
        </>
      }
    >
      <Stack>
        <ChoiceGroup
          legend="When"
          hideLegend
          value={when}
          choices={[
            { value: "now", label: "Now", icon: "send" },
            { value: "later", label: "Later", icon: "clock" },
          ]}
          onChange={setWhen}
        />
        {when === "later" && (
          <TimeFields choice={choice} min={earliestDay(new Date())} max={latestDay(new Date())} problem={problem} onChange={change}>
            <Row className={css.quick} role="group" aria-label="Quick times">
              {quickTimes.map((time) => (
                <Button key={time} size="small" aria-pressed={choice.time === time} onClick={() => change({ ...choice, time })}>
                  {time}
                </Button>
              ))}
            </Row>
          </TimeFields>
        )}
        <Stack as="dl" gap={2} className={css.facts}>
          <PostUrl
            page={host ? publicAddress(workspace, host).replace(/^https?:\/\//, "") : "/releases"}
            slug={typedSlug ?? ownSlug}
            redirects={Boolean(post?.published_at)}
            problem={sentSlug === typedSlug ? (slug.error?.issues[0]?.message ?? slugProblem) : null}
            onChange={setTypedSlug}
          />
          <div>
            <dt>
              <Icon name="eye" /> Visible to
            </dt>
            <Stack as="dd" gap={1}>
              {!isPublic
                ? "Only your team (your changelog isn't public yet)"
                : shownTo === null
                  ? "Everyone, on your public page, widget and feeds"
                  : shownTo === "internal"
                    ? "Only your team"
                    : `${audienceWords(shownTo)}, in the widget`}
              {canOpen && (
                <Checkbox
                  label="Make my changelog public"
                  note={opens && when === "later" ? "Your page opens right away." : undefined}
                  checked={opens}
                  onChange={({ target }) => setOpens(target.checked)}
                />
              )}
            </Stack>
          </div>
          {isEmailed && audience !== null && (
            <MailFacts audience={audience} notify={emails} onChange={setChosen}>
              <TestEmailButton workspaceId={workspace.id} post={post} read={read} />
            </MailFacts>
          )}
        </Stack>
        {!workspace.public_changelog_enabled && !canOpen && <ChangelogOff />}
      </Stack>
    </Dialog>
  );
}
