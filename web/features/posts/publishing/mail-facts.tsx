import { type MailAudience, subscriberEndpoints } from "#contract/subscribers.ts";
import { Checkbox } from "../../../components/checkbox.tsx";
import { Icon } from "../../../components/icon.tsx";
import { useCall } from "../../../lib/use-call.ts";

/** Who hears of a post by mail; undefined until that is known, and where it stays unknown: then publishing asks nothing about it. */
export function useMailAudience(workspaceId: string, tags: readonly string[], postId: string | undefined): MailAudience | undefined {
  const query = { tags: tags.join(","), ...(postId !== undefined && { post: postId }) };
  return useCall(subscriberEndpoints.audience, { params: { workspaceId }, query }, { revalidateOnFocus: false }).data?.audience;
}

/** Whether there is anybody to tell. */
export const hasReaders = ({ enabled, now, digests, told }: MailAudience): boolean => enabled && !told && now + digests > 0;

const people = (count: number): string => (count === 1 ? "1 person" : `${count.toLocaleString("en")} people`);

function sentence({ now, digests }: MailAudience): string {
  if (digests === 0) return people(now);
  const later = `${now === 0 ? people(digests) : digests.toLocaleString("en")} in ${digests === 1 ? "a digest" : "digests"}`;
  return now === 0 ? later : `${people(now)} now, ${later}`;
}

const undo = (minutes: number): string =>
  minutes === 0
    ? "Sent as soon as it is published."
    : `Sent ${minutes === 1 ? "a minute" : `${minutes} minutes`} after it is published. Archived before that, it is told to nobody.`;

interface MailFactsProps {
  audience: MailAudience;
  notify: boolean;
  onChange(notify: boolean): void;
}

/** A row of the facts before a post is published: how many hear of it by mail, and whether they do. */
export function MailFacts({ audience, notify, onChange }: MailFactsProps) {
  if (!audience.enabled || (!audience.told && !hasReaders(audience))) return null;
  return (
    <div>
      <dt>
        <Icon name="envelope" /> By mail
      </dt>
      <dd>
        {audience.told ? (
          "Readers were told of this post already; nobody is told twice."
        ) : (
          <Checkbox
            label={`Tell ${sentence(audience)}`}
            note={notify ? undo(audience.undo_minutes) : "Nobody is told by mail, neither now nor in a digest."}
            checked={notify}
            onChange={({ target }) => onChange(target.checked)}
          />
        )}
      </dd>
    </div>
  );
}
