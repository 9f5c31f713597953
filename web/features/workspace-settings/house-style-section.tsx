import { useFormState } from "react-final-form";
import { type HouseStyle, houseStyleEndpoints, houseStyleMaxLength } from "#contract/house-style.ts";
import { Button } from "../../components/button.tsx";
import { ContractForm } from "../../components/contract-form.tsx";
import { Section } from "../../components/section.tsx";
import { Skeleton } from "../../components/skeleton.tsx";
import { TextAreaField } from "../../components/text-area-field.tsx";
import { UnsavedGuard } from "../../components/unsaved-guard.tsx";
import { call } from "../../lib/api-client.ts";
import { moment } from "../../lib/moment.ts";
import { toasts } from "../../lib/toasts.ts";
import { useCall } from "../../lib/use-call.ts";
import css from "./settings.module.css";

const placeholder = "We write to people who run small shops. Say what they can do now, in one short sentence. No “we are excited”.";

/** How the team wants its posts written: what an assistant reads before it drafts. Owners and administrators write it, everybody reads it. */
export function HouseStyleSection({ workspaceId, writes }: { workspaceId: string; writes: boolean }) {
  const params = { workspaceId };
  const { data, error, mutate } = useCall(houseStyleEndpoints.read, { params });
  const style = data?.house_style;

  async function save(body: { text: string }) {
    await mutate(await call(houseStyleEndpoints.save, { params, body }), { revalidate: false });
    toasts.success(body.text === "" ? "House style taken back" : "House style saved");
  }

  return (
    <Section
      title="House style for assistants"
      anchor="house-style"
      text={
        writes
          ? "How you want posts written. Assistants read it before they draft. It is no place for secrets: every member and every connected assistant can read it."
          : "How your team wants posts written. Assistants read it before they draft. Owners and administrators can change it."
      }
    >
      {!style && error ? (
        <p className={css.note}>This could not be read. Please try refreshing the page.</p>
      ) : !style ? (
        <Skeleton height="14rem" />
      ) : writes ? (
        <ContractForm
          schema={houseStyleEndpoints.save.body!}
          initialValues={{ text: style.text }}
          failure="The house style could not be saved. Please try again later."
          onSubmit={save}
        >
          {({ submitting }) => (
            <>
              <TextAreaField name="text" label="House style" rows={8} max={houseStyleMaxLength} placeholder={placeholder} />
              <LastChange style={style} />
              <div>
                <Button type="submit" variant="primary" busy={submitting}>
                  Save the style
                </Button>
              </div>
              <Unsaved saved={style.text} saving={submitting} />
            </>
          )}
        </ContractForm>
      ) : style.text === "" ? (
        <p className={css.note}>Nobody has written one yet.</p>
      ) : (
        <>
          <p className={css.style} dir="auto">
            {style.text}
          </p>
          <LastChange style={style} />
        </>
      )}
    </Section>
  );
}

function LastChange({ style: { updated_at, updated_by_name } }: { style: HouseStyle }) {
  if (updated_at === null) return null;
  return (
    <p className={css.note}>
      Changed <time dateTime={updated_at}>{moment(updated_at)}</time>
      {updated_by_name && ` by ${updated_by_name}`}
    </p>
  );
}

function Unsaved({ saved, saving }: { saved: string; saving: boolean }) {
  const { values } = useFormState<{ text?: string }>({ subscription: { values: true } });
  return (values.text ?? "").trim() !== saved && !saving ? (
    <UnsavedGuard>The house style has changes that are not saved. If you leave, they are lost.</UnsavedGuard>
  ) : null;
}
