import type { Post, PostSummary } from "#contract/posts.ts";
import { ApiError } from "../../../lib/api-client.ts";
import { ask, overwriteFailed } from "./asking.ts";
import { finish, inTouch, prepare, read, rebase, repeat } from "./jobs.ts";
import { compare, isMergeable, takeIn, yieldFirst } from "./merging.ts";
import { arrived, nextAttempt, proceed, send, written } from "./sending.ts";
import { autosaveLongestMs, intentOf, isDirty, type Attempt, type State, type Work } from "./state.ts";
import { say, setTrouble, wait, willPass, type Turn } from "./turn.ts";
import {
  failureNotice,
  isNoMatter,
  isOutcomeOf,
  isSameIntent,
  isSameText,
  isSaving,
  isUnanswered,
  lockedNotice,
  saveTrouble,
  successNotice,
  writingProblem,
} from "./write.ts";

// What comes back from the server: an answer, a refusal, the post as it is there.

export function onAnswer(turn: Turn, post: Post): void {
  const { phase } = turn.state;
  if (phase.at === "sending") {
    arrived(turn, phase.attempt, post);
    written(turn, phase.work);
  } else if (phase.at === "repeating") {
    arrived(turn, phase.attempt, post);
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
      remember(turn, phase.attempt, error);
      if (phase.work.job.do === "overwrite") return overwriteFailed(turn, phase.work.job, error);
      if (error.code !== "version_conflict") return refuse(turn, phase.work, error);
      if (!state.server) return ask(turn, phase.work, phase.attempt.writing, error, null, null);
      return phase.work.merges ? yieldFirst(turn, phase.work, phase.attempt, error) : compare(turn, phase.work, phase.attempt, error);
    case "repeating": {
      const { attempt, work, writing } = phase;
      if (attempt.earlier && "idempotency_key" in error.fields)
        return repeat(turn, work, { ...attempt.earlier, wish: attempt.wish }, writing); // the key is of what arrived
      if (error.code !== "unauthenticated") remember(turn, attempt, error); // nobody looked at it
      if (!state.unanswered) rebase(state);
      if (error.code === "version_conflict" && work.job.do === "write" && state.server)
        return compare(turn, work, nextAttempt(turn, writing, work.job.intent, state.server.version), error);
      if (error.code === "version_conflict" && state.server && !isDirty(state)) {
        setTrouble(turn, null); // nothing of it is missing here: the newer version is read
        state.heard = Math.max(state.heard, state.server.version + 1);
        return finish(turn, work.job, false);
      }
      return refuse(turn, work, error);
    }
    case "looking":
      return refuse(turn, phase.work, error);
    case "comparing":
      return ask(turn, phase.work, phase.attempt.writing, phase.error, null, null);
    case "following":
      if (isUnanswered(error)) {
        state.refetchFailed = true;
        if (!state.running.autosave) wait(turn, "autosave", autosaveLongestMs);
      } else state.heard = 0;
      return finish(turn, phase.work.job, false);
  }
}

/** Keeps what may be on the server: a write without an answer, and those before a refused one with the same key; of a post that was given up, nothing. */
function remember({ state }: Turn, attempt: Attempt, error: ApiError): void {
  const isOfThisPost = attempt.request.id === (state.server?.id ?? null);
  state.unanswered = !isOfThisPost ? null : isUnanswered(error) ? attempt : attempt.earlier;
}

function refuse(turn: Turn, { job, created }: Work, error: ApiError): void {
  if (job.do === "follow") return finish(turn, job, false);
  const intent = intentOf(job);
  if (error.code === "published_post_locked") {
    setTrouble(turn, null);
    say(turn, "error", lockedNotice);
  } else if (error.code === "unauthenticated") {
    // The session's end has a dialog of its own; the text stays, and what saved itself does so again afterwards.
    if (intent.kind === "autosave") setTrouble(turn, { reason: "unanswered" });
    else if (willPass(turn.state.trouble)) setTrouble(turn, turn.state.trouble); // it goes on, more rarely
  } else {
    const trouble = saveTrouble(error, intent.kind === "autosave" ? (turn.state.unanswered?.wish ?? intent) : intent);
    setTrouble(turn, trouble);
    const asked = job.do !== "resolve" && intent.kind !== "autosave"; // what nobody asked for fails quietly
    const isOpen = trouble.reason === "unknown" && turn.state.unanswered !== null && isSameIntent(turn.state.unanswered.wish, intent); // told once it is known
    const notice = failureNotice(intent, created);
    if (asked && !isOpen) say(turn, "error", trouble.reason === "refused" ? { ...notice, description: trouble.sentence } : notice);
  }
  finish(turn, job, false);
}

/** What overwrites whatever is there may have come after several others. */
const isNextOf = ({ request: { body } }: Attempt, server: Post, post: Post): boolean =>
  "version" in body && body.version !== undefined ? post.version === server.version + 1 : post.version > server.version;

export function onFound(turn: Turn, { post, now }: { post: Post; now: Date }): void {
  const { state } = turn;
  const { phase, server } = state;
  switch (phase.at) {
    case "looking": {
      const { attempt, work, writing } = phase;
      const has = server !== null && isNextOf(attempt, server, post) && isOutcomeOf(attempt.writing, attempt.intent, post);
      state.unanswered = null;
      if (has) {
        arrived(turn, attempt, post);
        return proceed(turn, work, writing, attempt);
      }
      if (server) state.heard = Math.max(state.heard, post.version);
      rebase(state);
      if (server && attempt.intent.kind === "publish" && post.status === "published" && post.version > server.version + 1) {
        // Somebody has saved it since: it is live, whoever did that.
        say(turn, "success", successNotice(attempt.intent, false, post.public_changelog_enabled));
        if (work.job.do === "resolve") {
          setTrouble(turn, null);
          return finish(turn, work.job, true);
        }
      } else if (work.job.do === "write" && isSaving(work.job.intent)) say(turn, "error", failureNotice(attempt.wish, false)); // else it is said, or something else is asked for
      return proceed(turn, work, writing, null);
    }
    case "comparing": {
      const { attempt, work, error } = phase;
      if (!server || !isSameText(server, post) || !isNoMatter(server, post)) {
        const taking = { theirs: post, refused: { attempt, error }, choices: null, tries: 0 };
        return isMergeable(state, post) ? read(turn, { ...work, taking }) : ask(turn, work, attempt.writing, error, post, null);
      }
      state.server = post;
      const problem = writingProblem(attempt.writing, attempt.intent, post, now);
      if (!problem) return send(turn, work, nextAttempt(turn, attempt.writing, attempt.intent, post.version));
      say(turn, "error", problem);
      return finish(turn, work.job, false);
    }
    case "following": {
      if (state.heard === phase.heard) state.heard = 0;
      inTouch(turn);
      if (!server || post.id !== server.id || post.version <= server.version) return finish(turn, phase.work.job, false);
      if (isSameText(server, post) && canTakeSilently(state, server, post)) state.server = post;
      else if (isDirty(state)) return takeIn(turn, phase.work, post);
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

/** Whether a newer version with the same text is taken over without a question: it changes nothing that matters here, or it is archived and nothing here is unsaved. */
const canTakeSilently = (state: State, server: Post, newer: PostSummary): boolean =>
  isNoMatter(server, newer) || (newer.status === "archived" && !isDirty(state));
