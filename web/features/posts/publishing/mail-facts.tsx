import type { ReactNode } from "react";
import { type MailAudience, subscriberEndpoints } from "#contract/subscribers.ts";
import { Checkbox } from "../../../ui/checkbox.tsx";
import { Icon } from "../../../ui/icon.tsx";
import { Skeleton } from "../../../ui/skeleton.tsx";
import { Stack, Text } from "../../../ui/layout.tsx";
import { useCall } from "../../../lib/use-call.ts";

/** Subscribers who would be emailed; undefined while loading, null on failure. */
export function useMailAudience(workspaceId: string, tags: readonly string[], postId: string | undefined): MailAudience | null | undefined {
  const query = { tags: tags.join(","), ...(postId !== undefined && { post: postId }) };
  const { data, error } = useCall(subscriberEndpoints.audience, { params: { workspaceId }, query }, { revalidateOnFocus: false });
  return data?.audience ?? (error ? null : undefined);
}

export const hasReaders = ({ enabled, now, digests, told }: MailAudience): boolean => enabled && !told && now + digests > 0;

const subscribers = (count: number): string => (count === 1 ? "1 subscriber" : `${count.toLocaleString("en")} subscribers`);

function sentence({ now, digests }: MailAudience): string {
  if (digests === 0) return subscribers(now);
  const later = `${now === 0 ? subscribers(digests) : digests.toLocaleString("en")} in ${digests === 1 ? "a digest" : "digests"}`;
  return now === 0 ? later : `${subscribers(now)} now, ${later}`;
}

const timing = (minutes: number): string =>
  minutes === 0
    ? "Sent as soon as it's published."
    : `Sent ${minutes === 1 ? "a minute" : `${minutes} minutes`} after it's published. Archive it before then to cancel the email.`;

interface MailFactsProps {
  audience: MailAudience | undefined;
  notify: boolean;
  onChange(notify: boolean): void;
  children: ReactNode;
}

export function MailFacts({ audience, notify, onChange, children }: MailFactsProps) {
  if (audience?.enabled === false) return null;
  return (
    <div>
      <dt>
        <Icon name="envelope" /> Email
      </dt>
      <Stack as="dd" gap={1} start>
        {!audience ? (
          <Skeleton width="12rem" height="1.375rem" /> // the dialog is centred, so a late row would move what is being clicked
        ) : audience.told ? (
          <Text>Subscribers were already emailed about this post.</Text>
        ) : !hasReaders(audience) ? (
          <Text tone="muted">No subscribers get this post.</Text>
        ) : (
          <Checkbox
            label={`Email ${sentence(audience)}`}
            note={notify ? timing(audience.undo_minutes) : "Subscribers won't be emailed, now or in a digest."}
            checked={notify}
            onChange={({ target }) => onChange(target.checked)}
          />
        )}
        {children}
      </Stack>
    </div>
  );
}
