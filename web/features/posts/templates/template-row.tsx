import { useState, type ReactNode } from "react";
import { z } from "zod";
import { line } from "#contract/fields.ts";
import { templateNameMaxLength, type TemplateSummary } from "#contract/templates.ts";
import { Button } from "../../../ui/button.tsx";
import { ContractForm, SubmitButton } from "../../../ui/contract-form.tsx";
import { IconButton } from "../../../ui/icon-button.tsx";
import { Icon } from "../../../ui/icon.tsx";
import { useReturnFocus } from "../../../ui/return-focus.ts";
import { TextField } from "../../../ui/text-field.tsx";
import { ApiError, sentenceOf } from "../../../lib/api-client.ts";
import { ButtonRow } from "../../../ui/button-row.tsx";
import { Row, Stack, Text } from "../../../ui/layout.tsx";
import css from "./templates.module.css";

interface TemplateRowProps {
  template: TemplateSummary;
  updated: string;
  open: boolean;
  onOpen(open: boolean): void;
  onChoose(): void;
  rename(name: string): Promise<unknown>;
  remove(): Promise<unknown>;
}

const nameForm = z.object({ name: line("Enter a name", templateNameMaxLength) });

export function TemplateRow({ template, updated, open, onOpen, onChoose, rename, remove }: TemplateRowProps) {
  const [work, setWork] = useState<"rename" | "delete">("rename");
  const toggle = (next: "rename" | "delete") => {
    onOpen(!open || work !== next);
    setWork(next);
  };
  return (
    <li>
      <Row nowrap className={css.row}>
        <Row as="button" choice align="baseline" type="button" className={css.template} onClick={onChoose}>
          <Icon name="file" />
          <Text as="span" strong className={css.name}>
            {template.name}
          </Text>
          <Text as="span" size="small" tone="muted" className={css.time}>
            {updated}
          </Text>
        </Row>
        <Row as="span" gap={0} nowrap>
          <IconButton
            icon="pencil"
            label={`Rename ${template.name}`}
            aria-expanded={open && work === "rename"}
            onClick={() => toggle("rename")}
          />
          <IconButton
            icon="trash"
            label={`Delete ${template.name}`}
            danger
            aria-expanded={open && work === "delete"}
            onClick={() => toggle("delete")}
          />
        </Row>
      </Row>
      {open && work === "rename" && (
        <Work>
          <ContractForm
            schema={nameForm}
            initialValues={{ name: template.name }}
            failure="Couldn't rename the template. Try again later."
            onSubmit={async ({ name }) => {
              if (name !== template.name) await rename(name);
              onOpen(false);
            }}
          >
            <TextField name="name" label="Template name" autoComplete="off" maxLength={templateNameMaxLength} autoFocus />
            <ButtonRow>
              <Button onClick={() => onOpen(false)}>Cancel</Button>
              <SubmitButton variant="primary">Rename</SubmitButton>
            </ButtonRow>
          </ContractForm>
        </Work>
      )}
      {open && work === "delete" && <Deletion remove={remove} onClose={() => onOpen(false)} />}
    </li>
  );
}

function Work({ children }: { children: ReactNode }) {
  useReturnFocus();
  return (
    <Stack gap={2} className={css.work}>
      {children}
    </Stack>
  );
}

function Deletion({ remove, onClose }: Pick<TemplateRowProps, "remove"> & { onClose(): void }) {
  const [busy, setBusy] = useState(false);
  const [problem, setProblem] = useState<string>();
  async function act() {
    setBusy(true);
    try {
      await remove();
    } catch (error) {
      const isGone = error instanceof ApiError && error.code === "not_found";
      if (!isGone) setProblem(sentenceOf(error, "Couldn't delete the template. Try again later."));
    }
    setBusy(false);
  }
  return (
    <Work>
      <p>It will be deleted for your whole team. Posts created from it stay.</p>
      {problem && (
        <Text tone="danger" role="alert">
          {problem}
        </Text>
      )}
      <ButtonRow>
        <Button onClick={onClose}>Cancel</Button>
        <Button variant="danger" busy={busy} autoFocus onClick={() => void act()}>
          Delete
        </Button>
      </ButtonRow>
    </Work>
  );
}
