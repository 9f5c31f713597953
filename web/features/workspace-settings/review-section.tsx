import { useId, useState } from "react";
import { type ReviewRule, reviewEndpoints, reviewRules } from "#contract/reviews.ts";
import { Section } from "../../components/section.tsx";
import { Skeleton } from "../../components/skeleton.tsx";
import { ApiError, call } from "../../lib/api-client.ts";
import { toasts } from "../../lib/toasts.ts";
import { useCall } from "../../lib/use-call.ts";
import css from "./settings.module.css";

const words: Readonly<Record<ReviewRule, { name: string; text: string }>> = {
  off: { name: "Nobody's", text: "Whoever may write may publish." },
  editors: { name: "Editors'", text: "An owner or administrator approves what editors publish, schedule or change of live posts." },
  all: { name: "Everybody's but the owner's", text: "What administrators do is approved by another of them, or by the owner." },
};

/** Whose posts readers see only after a second person has said yes; the owner says it. */
export function ReviewSection({ workspaceId, owns }: { workspaceId: string; owns: boolean }) {
  const params = { workspaceId };
  const { data, error, mutate } = useCall(reviewEndpoints.rule, { params });
  const [busy, setBusy] = useState(false);
  const id = useId();

  async function choose(rule: ReviewRule) {
    if (busy) return;
    setBusy(true);
    try {
      await mutate(call(reviewEndpoints.setRule, { params, body: { rule } }), { optimisticData: { rule }, revalidate: false });
      toasts.success("Saved");
    } catch (error) {
      if (!(error instanceof ApiError)) throw error;
      toasts.error("This was not saved", error.message);
    } finally {
      setBusy(false);
    }
  }

  return (
    <Section
      title="A second person approves"
      anchor="review"
      text="Nobody approves what they have written or asked for themselves. API keys that may not publish ask in any case."
    >
      {!data && error ? (
        <p className={css.note}>This could not be read. Please try refreshing the page.</p>
      ) : !data ? (
        <Skeleton height="9rem" />
      ) : owns ? (
        <fieldset className={css.rules} disabled={busy}>
          <legend>Whose posts are approved before readers see them?</legend>
          {reviewRules.map((rule) => (
            <div key={rule}>
              <label className={css.rule}>
                <input
                  type="radio"
                  name={id}
                  checked={data.rule === rule}
                  aria-describedby={`${id}-${rule}`}
                  onChange={() => void choose(rule)}
                />
                {words[rule].name}
              </label>
              <p id={`${id}-${rule}`} className={css.ruleText}>
                {words[rule].text}
              </p>
            </div>
          ))}
        </fieldset>
      ) : (
        <p className={css.note}>
          {data.rule === "off" ? "Nobody's posts are approved by a second person." : words[data.rule].text} The owner can change this.
        </p>
      )}
    </Section>
  );
}
