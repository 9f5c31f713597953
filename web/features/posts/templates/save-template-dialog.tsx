import { useState } from "react";
import { z } from "zod";
import { shorten } from "#contract/blocks/excerpt.ts";
import { templateNameMaxLength, type TemplateSummary } from "#contract/templates.ts";
import { line } from "#contract/fields.ts";
import { Button } from "../../../ui/button.tsx";
import { ContractForm, SubmitButton } from "../../../ui/contract-form.tsx";
import { Dialog } from "../../../ui/dialog.tsx";
import { TextField } from "../../../ui/text-field.tsx";
import { toasts } from "../../../lib/toasts.ts";
import { useFormField } from "../../../lib/use-form-field.ts";
import type { Writing } from "../../session/write.ts";
import { templateOf, useTemplates } from "./template-calls.ts";
import { ButtonRow } from "../../../ui/button-row.tsx";
import { Stack, Text } from "../../../ui/layout.tsx";

interface SaveTemplateDialogProps {
  workspaceId: string;
  title: string;
  read(): Promise<Writing>;
  onClose(): void;
}

const nameForm = z.object({ name: line("Enter a name", templateNameMaxLength) });
const nameFrom = (title: string): string => {
  const whole = title.trim();
  return whole.length <= templateNameMaxLength ? whole : shorten(whole, templateNameMaxLength).replace(/…$/, "");
};

const isSame = (one: string, other: string) => one.trim().toLowerCase() === other.trim().toLowerCase();

export function SaveTemplateDialog({ workspaceId, title, read, onClose }: SaveTemplateDialogProps) {
  const { templates = [], create, replace } = useTemplates(workspaceId);
  const [duplicate, setDuplicate] = useState<TemplateSummary>();

  async function submit({ name }: z.output<typeof nameForm>) {
    const existing = templates.find((one) => isSame(one.name, name));
    if (existing && duplicate?.id !== existing.id) return setDuplicate(existing);
    const text = templateOf(await read());
    if (existing) await replace(existing.id, { ...text, name });
    else await create({ ...text, name });
    toasts.success(existing ? "Template replaced" : "Template saved", "You can now start posts from it.");
    onClose();
  }

  return (
    <Dialog open title="Save as template" hasForm onClose={onClose}>
      <Stack gap={3}>
        <Text tone="muted">Saves the title, summary, tags and content for your team to reuse. This post isn't changed.</Text>
        <ContractForm
          schema={nameForm}
          initialValues={{ name: nameFrom(title) }}
          failure="Couldn't save the template. Try again later."
          onSubmit={submit}
        >
          <Name duplicate={duplicate} onClose={onClose} />
        </ContractForm>
      </Stack>
    </Dialog>
  );
}

interface NameProps {
  duplicate: TemplateSummary | undefined;
  onClose(): void;
}

function Name({ duplicate, onClose }: NameProps) {
  const { input } = useFormField<string>("name", { subscription: { value: true } });
  const replaces = duplicate !== undefined && isSame(duplicate.name, input.value ?? "");
  return (
    <>
      <TextField name="name" label="Template name" autoComplete="off" maxLength={templateNameMaxLength} autoFocus />
      {replaces && (
        <Text tone="danger" role="alert">
          A template named “{duplicate.name}” already exists. Replace it or choose another name.
        </Text>
      )}
      <ButtonRow>
        <Button onClick={onClose}>Cancel</Button>
        <SubmitButton variant="primary">{replaces ? "Replace" : "Save"}</SubmitButton>
      </ButtonRow>
    </>
  );
}
