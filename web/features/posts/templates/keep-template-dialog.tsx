import { useState } from "react";
import { z } from "zod";
import { shorten } from "#contract/blocks/excerpt.ts";
import { templateNameMaxLength, type TemplateSummary } from "#contract/templates.ts";
import { line } from "#contract/fields.ts";
import { Button } from "../../../components/button.tsx";
import { ContractForm } from "../../../components/contract-form.tsx";
import { Dialog } from "../../../components/dialog.tsx";
import { TextField } from "../../../components/text-field.tsx";
import { toasts } from "../../../lib/toasts.ts";
import { useFormField } from "../../../lib/use-form-field.ts";
import type { Writing } from "../session/write.ts";
import { templateOf, useTemplates } from "./template-calls.ts";
import css from "./templates.module.css";

interface KeepTemplateDialogProps {
  workspaceId: string;
  title: string;
  /** What is on the screen. */
  read(): Promise<Writing>;
  onClose(): void;
}

const nameForm = z.object({ name: line("Please enter a name", templateNameMaxLength) });
/** As much of a title as a name may have, in whole words where there are some. */
const nameFrom = (title: string): string => {
  const whole = title.trim();
  return whole.length <= templateNameMaxLength ? whole : shorten(whole, templateNameMaxLength).replace(/…$/, "");
};

const isSame = (one: string, other: string) => one.trim().toLowerCase() === other.trim().toLowerCase();

/** Keeps what is on the screen as a text that posts begin with, under a name of its own or in the place of another one. */
export function KeepTemplateDialog({ workspaceId, title, read, onClose }: KeepTemplateDialogProps) {
  const { templates = [], keep, replace } = useTemplates(workspaceId);
  const [taken, setTaken] = useState<TemplateSummary>();

  async function submit({ name }: z.output<typeof nameForm>) {
    const there = templates.find((one) => isSame(one.name, name));
    if (there && taken?.id !== there.id) return setTaken(there); // asks first
    const text = templateOf(await read());
    if (there) await replace(there.id, { ...text, name });
    else await keep({ ...text, name });
    toasts.success(there ? "Template replaced" : "Kept as a template", "New posts can begin with it.");
    onClose();
  }

  return (
    <Dialog open title="Keep as template" onClose={onClose}>
      <p className={css.note}>Title, summary, tags and text, for everybody in this workspace who writes. The post itself stays as it is.</p>
      <ContractForm
        schema={nameForm}
        initialValues={{ name: nameFrom(title) }}
        failure="The template was not kept. Please try again later."
        onSubmit={submit}
      >
        {({ submitting }) => <Name taken={taken} submitting={submitting} onClose={onClose} />}
      </ContractForm>
    </Dialog>
  );
}

interface NameProps {
  /** Which other template has this name, once that was found. */
  taken: TemplateSummary | undefined;
  submitting: boolean;
  onClose(): void;
}

function Name({ taken, submitting, onClose }: NameProps) {
  const { input } = useFormField<string>("name", { subscription: { value: true } });
  const replaces = taken !== undefined && isSame(taken.name, input.value ?? "");
  return (
    <>
      <TextField name="name" label="Name of the template" autoComplete="off" maxLength={templateNameMaxLength} autoFocus />
      {replaces && (
        <p className={css.taken} role="alert">
          There is a template “{taken.name}” already. Replace it with this text, or choose another name.
        </p>
      )}
      <div className={css.buttons}>
        <Button onClick={onClose}>Cancel</Button>
        <Button type="submit" variant="primary" busy={submitting}>
          {replaces ? "Replace" : "Keep"}
        </Button>
      </div>
    </>
  );
}
