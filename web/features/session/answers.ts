import type { Post, PostSummary } from "#contract/posts.ts";
import { ApiError } from "../../lib/api-client.ts";
import { openConflict, overwriteFailed } from "./asking.ts";
import { finish, inTouch, prepare, read, rebase, retry } from "./jobs.ts";
import { compare, isMergeable, mergeIncoming, backOff } from "./merging.ts";
import { onSaved, nextAttempt, proceed, send, reportSaved } from "./sending.ts";
import { autosaveMaxWaitMs, intentOf, isDirty, type Attempt, type State, type Work } from "./state.ts";
import { notify, setTrouble, startTimer, willRetry, type Turn } from "./turn.ts";
import {
  failureNotice,
  isMinorChange,
  isOutcomeOf,
  coversIntent,
  isSameText,
  isPlainSave,
  isUnanswered,
  lockedNotice,
  saveTrouble,
  successNotice,
  writingProblem,
} from "./write.ts";

export function onAnswer(turn: Turn, post: Post): void {
  const { phase } = turn.state;
  if (phase.at === "sending") {
    onSaved(turn, phase.attempt, post);
    reportSaved(turn, phase.work);
  } else if (phase.at === "retrying") {
    onSaved(turn, phase.attempt, post);
    proceed(turn, phase.work, phase.writing, phase.attempt);
  }
}

export function onFailure(turn: Turn, error: ApiError): void {
  const { state } = turn;
  const { phase } = state;
  switch (phase.at) {
    case "checking":
      return prepare(turn, phase.work);
    case "sending":
      keepUnanswered(turn, phase.attempt, error);
      if (phase.work.job.do === "overwrite") return overwriteFailed(turn, phase.work.job, error);
      if (error.code !== "version_conflict") return fail(turn, phase.work, error);
      if (!state.server) return openConflict(turn, phase.work, phase.attempt.writing, error, null, null);
      return phase.work.mergeCount ? backOff(turn, phase.work, phase.attempt, error) : compare(turn, phase.work, phase.attempt, error);
    case "retrying": {
      const { attempt, work, writing } = phase;
      if (attempt.earlier && "idempotency_key" in error.fields)
        return retry(turn, work, { ...attempt.earlier, requestedIntent: attempt.requestedIntent }, writing); // the key belongs to the request that arrived
      if (error.code !== "unauthenticated") keepUnanswered(turn, attempt, error);
      if (!state.unanswered) rebase(state);
      if (error.code === "version_conflict" && work.job.do === "write" && state.server)
        return compare(turn, work, nextAttempt(turn, writing, work.job.intent, state.server.version), error);
      if (error.code === "version_conflict" && state.server && !isDirty(state)) {
        setTrouble(turn, null);
        state.announcedVersion = Math.max(state.announcedVersion, state.server.version + 1);
        return finish(turn, work.job, false);
      }
      return fail(turn, work, error);
    }
    case "verifying":
      return fail(turn, phase.work, error);
    case "comparing":
      return openConflict(turn, phase.work, phase.attempt.writing, phase.error, null, null);
    case "refetching":
      if (isUnanswered(error)) {
        state.refetchFailed = true;
        if (!state.running.autosave) startTimer(turn, "autosave", autosaveMaxWaitMs);
      } else state.announcedVersion = 0;
      return finish(turn, phase.work.job, false);
  }
}

/** Keeps a write that may have arrived: one without an answer, or those before a refused one with the same idempotency key. */
function keepUnanswered({ state }: Turn, attempt: Attempt, error: ApiError): void {
  const isOfThisPost = attempt.request.id === (state.server?.id ?? null);
  state.unanswered = !isOfThisPost ? null : isUnanswered(error) ? attempt : attempt.earlier;
}

function fail(turn: Turn, { job, created }: Work, error: ApiError): void {
  if (job.do === "refetch") return finish(turn, job, false);
  const intent = intentOf(job);
  if (error.code === "published_post_locked") {
    setTrouble(turn, null);
    notify(turn, "error", lockedNotice);
  } else if (job.do === "write" && error.fields["slug"] !== undefined) {
    setTrouble(turn, null);
    turn.state.slugProblem = error.fields["slug"];
  } else if (error.code === "unauthenticated") {
    // An ended session shows its own dialog. The text stays, and autosave resumes afterwards.
    if (intent.kind === "autosave") setTrouble(turn, { reason: "unanswered" });
    else if (willRetry(turn.state.trouble)) setTrouble(turn, turn.state.trouble);
  } else {
    const trouble = saveTrouble(error, intent.kind === "autosave" ? (turn.state.unanswered?.requestedIntent ?? intent) : intent);
    setTrouble(turn, trouble);
    const isManual = job.do !== "resolve" && intent.kind !== "autosave";
    const isUnknown =
      trouble.reason === "unknown" && turn.state.unanswered !== null && coversIntent(turn.state.unanswered.requestedIntent, intent);
    const notice = failureNotice(intent, created);
    if (isManual && !isUnknown) notify(turn, "error", trouble.reason === "refused" ? { ...notice, description: trouble.sentence } : notice);
  }
  finish(turn, job, false);
}

/** An overwrite may come after several other versions. */
const isNextOf = ({ request: { body } }: Attempt, server: Post, post: Post): boolean =>
  "version" in body && body.version !== undefined ? post.version === server.version + 1 : post.version > server.version;

export function onFetched(turn: Turn, { post, now }: { post: Post; now: Date }): void {
  const { state } = turn;
  const { phase, server } = state;
  switch (phase.at) {
    case "verifying": {
      const { attempt, work, writing } = phase;
      const isSaved = server !== null && isNextOf(attempt, server, post) && isOutcomeOf(attempt.writing, attempt.intent, post);
      state.unanswered = null;
      if (isSaved) {
        onSaved(turn, attempt, post);
        return proceed(turn, work, writing, attempt);
      }
      if (server) state.announcedVersion = Math.max(state.announcedVersion, post.version);
      rebase(state);
      if (server && attempt.intent.kind === "publish" && post.status === "published" && post.version > server.version + 1) {
        // A colleague has saved it since: it's live anyway.
        notify(turn, "success", successNotice(attempt.intent, false, post.public_changelog_enabled));
        if (work.job.do === "resolve") {
          setTrouble(turn, null);
          return finish(turn, work.job, true);
        }
      } else if (work.job.do === "write" && isPlainSave(work.job.intent))
        notify(turn, "error", failureNotice(attempt.requestedIntent, false));
      return proceed(turn, work, writing, null);
    }
    case "comparing": {
      const { attempt, work, error } = phase;
      if (!server || !isSameText(server, post) || !isMinorChange(server, post)) {
        const incoming = { theirs: post, refused: { attempt, error }, choices: null, tries: 0 };
        return isMergeable(state, post) ? read(turn, { ...work, incoming }) : openConflict(turn, work, attempt.writing, error, post, null);
      }
      state.server = post;
      const problem = writingProblem(attempt.writing, attempt.intent, post, now);
      if (!problem) return send(turn, work, nextAttempt(turn, attempt.writing, attempt.intent, post.version));
      notify(turn, "error", problem);
      return finish(turn, work.job, false);
    }
    case "refetching": {
      if (state.announcedVersion === phase.announcedVersion) state.announcedVersion = 0;
      inTouch(turn);
      if (!server || post.id !== server.id || post.version <= server.version) return finish(turn, phase.work.job, false);
      if (isSameText(server, post) && canTakeSilently(state, server, post)) state.server = post;
      else if (isDirty(state)) return mergeIncoming(turn, phase.work, post);
      else if (isSameText(server, post)) state.server = post;
      else {
        state.phase = { at: "showing", work: phase.work, post };
        turn.commands.push({ do: "show", post });
        return;
      }
      return finish(turn, phase.work.job, true);
    }
  }
}

/** True if a newer version with the same text needs no question: a minor change, or archived without unsaved changes here. */
const canTakeSilently = (state: State, server: Post, newer: PostSummary): boolean =>
  isMinorChange(server, newer) || (newer.status === "archived" && !isDirty(state));
