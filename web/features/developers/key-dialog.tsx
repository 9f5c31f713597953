import { useId, useState } from "react";
import type { ApiKeyScope } from "#contract/api-key-scopes.ts";
import { createApiKeyInput } from "#contract/api-keys.ts";
import { apiKeyNameMaxLength } from "#contract/limits.ts";
import { Checkboxes, CheckboxGroup } from "../../ui/checkbox-group.tsx";
import { FieldFrame } from "../../ui/field-frame.tsx";
import { FormDialog } from "../../ui/form-dialog.tsx";
import { Input } from "../../ui/input.tsx";
import { Note, Row, Stack } from "../../ui/layout.tsx";
import { Select } from "../../ui/select.tsx";
import { TextField } from "../../ui/text-field.tsx";
import { ApiError } from "../../lib/api-client.ts";
import { expiryOf, type KeyDraft } from "./key-draft.ts";
import { scopeGroups, scopeLabels } from "./scope-labels.ts";

const form = createApiKeyInput.pick({ name: true });

interface KeyDialogProps {
  draft: KeyDraft;
  onDraft: (changes: Partial<KeyDraft>) => void;
  create: (body: { name: string; scopes: ApiKeyScope[]; expires_at: string | null }) => Promise<void>;
  onClose: () => void;
}

export function KeyDialog({ draft, onDraft, create, onClose }: KeyDialogProps) {
  const [initial] = useState({ name: draft.name });
  const [errors, setErrors] = useState<{ scopes?: string; expires_at?: string }>({});
  const id = useId();

  async function submit({ name }: { name: string }) {
    const expires_at = expiryOf(draft, new Date());
    const problems = {
      ...(draft.scopes.length === 0 && { scopes: "Select at least one permission" }),
      ...(expires_at === undefined && { expires_at: "Select a date" }),
    };
    setErrors(problems);
    if (draft.scopes.length === 0 || expires_at === undefined) return;
    try {
      await create({ name, scopes: [...draft.scopes], expires_at });
    } catch (error) {
      if (!(error instanceof ApiError) || error.fields.name) throw error;
      const { scopes, expires_at: until } = error.fields;
      if (!scopes && !until) throw error;
      setErrors({ scopes, expires_at: until });
    }
  }

  return (
    <FormDialog
      title="New API key"
      width="40rem"
      verb="Create key"
      schema={form}
      initialValues={initial}
      failure="Couldn't create the key. Please try again."
      onSubmit={submit}
      onClose={onClose}
    >
      <TextField
        name="name"
        label="Name"
        placeholder="Release pipeline"
        hint="Describe what uses this key."
        maxLength={apiKeyNameMaxLength}
        autoFocus
        onTyped={(name) => onDraft({ name })}
      />
      <CheckboxGroup
        legend="Permissions"
        hint="A key can't do more than you can, and stops working if you leave the workspace."
        min="14rem"
        error={errors.scopes}
      >
        {scopeGroups.map(([group, scopes]) => (
          <Stack key={group} gap={2} role="group" aria-label={group}>
            <Note as="h3">{group}</Note>
            <Checkboxes
              options={scopes.map((value) => ({ value, ...scopeLabels[value] }))}
              chosen={draft.scopes}
              onChange={(chosen) => onDraft({ scopes: chosen })}
            />
          </Stack>
        ))}
      </CheckboxGroup>
      <FieldFrame id={id} label="Expires" error={errors.expires_at}>
        <Row>
          <Select
            id={id}
            value={draft.lasts}
            options={[
              ["30", "In 30 days"],
              ["90", "In 90 days"],
              ["365", "In a year"],
              ["until", "On a date…"],
              ["never", "Never"],
            ]}
            onChange={(lasts) => onDraft({ lasts })}
          />
          {draft.lasts === "until" && (
            <Input
              type="date"
              style={{ width: "10rem" }}
              aria-label="Expiry date"
              aria-invalid={errors.expires_at !== undefined}
              aria-describedby={errors.expires_at ? `${id}-error` : undefined}
              value={draft.day}
              onChange={({ target }) => onDraft({ day: target.value })}
            />
          )}
        </Row>
      </FieldFrame>
    </FormDialog>
  );
}
