import { useFormState } from "react-final-form";
import { type HouseStyle, houseStyleEndpoints, houseStyleMaxLength } from "#contract/house-style.ts";
import { ContractForm, SubmitButton } from "../../ui/contract-form.tsx";
import { Section } from "../../ui/section.tsx";
import { Skeleton } from "../../ui/skeleton.tsx";
import { TextAreaField } from "../../ui/text-area-field.tsx";
import { UnsavedGuard } from "../../ui/unsaved-guard.tsx";
import { call } from "../../lib/api-client.ts";
import { moment } from "../../lib/moment.ts";
import { toasts } from "../../lib/toasts.ts";
import { useCall } from "../../lib/use-call.ts";
import { Text } from "../../ui/layout.tsx";

const placeholder = "We write to people who run small shops. Say what they can do now, in one short sentence. No “we’re excited”.";

/** Style guide that assistants read before drafting. Owners and admins edit it, members read it. */
export function HouseStyleSection({ workspaceId, writes: canEdit }: { workspaceId: string; writes: boolean }) {
  const params = { workspaceId };
  const { data, error, mutate } = useCall(houseStyleEndpoints.read, { params });
  const style = data?.house_style;

  async function save(body: { text: string }) {
    await mutate(await call(houseStyleEndpoints.save, { params, body }), { revalidate: false });
    toasts.success(body.text === "" ? "House style removed" : "House style saved");
  }

  return (
    <Section
      title="House style for assistants"
      text={
        canEdit
          ? "How you want posts written. Assistants read it before drafting. Don't include secrets. Every member and connected assistant can read it."
          : "How your team wants posts written. Assistants read it before drafting. Owners and admins can change it."
      }
    >
      {!style && error ? (
        <Text tone="muted">Couldn't load the house style. Try refreshing the page.</Text>
      ) : !style ? (
        <Skeleton height="14rem" />
      ) : canEdit ? (
        <ContractForm
          schema={houseStyleEndpoints.save.body!}
          initialValues={{ text: style.text }}
          failure="Couldn't save the house style. Please try again later."
          onSubmit={save}
        >
          <TextAreaField name="text" label="House style" rows={8} max={houseStyleMaxLength} placeholder={placeholder} />
          <LastChange style={style} />
          <SubmitButton variant="primary">Save</SubmitButton>
          <Unsaved saved={style.text} />
        </ContractForm>
      ) : style.text === "" ? (
        <Text tone="muted">Your team's house style will appear here.</Text>
      ) : (
        <>
          <Text dir="auto" style={{ whiteSpace: "pre-wrap", unicodeBidi: "plaintext" }}>
            {style.text}
          </Text>
          <LastChange style={style} />
        </>
      )}
    </Section>
  );
}

function LastChange({ style: { updated_at, updated_by_name } }: { style: HouseStyle }) {
  if (updated_at === null) return null;
  return (
    <Text tone="muted">
      Changed <time dateTime={updated_at}>{moment(updated_at)}</time>
      {updated_by_name && ` by ${updated_by_name}`}
    </Text>
  );
}

function Unsaved({ saved }: { saved: string }) {
  const { values, submitting } = useFormState<{ text?: string }>({ subscription: { values: true, submitting: true } });
  return (values.text ?? "").trim() !== saved && !submitting ? <UnsavedGuard /> : null;
}
