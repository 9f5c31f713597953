import { useState, type ReactNode } from "react";
import { z } from "zod";
import { line } from "#contract/fields.ts";
import { templateNameMaxLength, type TemplateSummary } from "#contract/templates.ts";
import { Button } from "../../../components/button.tsx";
import { ContractForm } from "../../../components/contract-form.tsx";
import { IconButton } from "../../../components/icon-button.tsx";
import { Icon } from "../../../components/icon.tsx";
import { useReturnFocus } from "../../../components/return-focus.ts";
import { TextField } from "../../../components/text-field.tsx";
import { ApiError } from "../../../lib/api-client.ts";
import css from "./templates.module.css";

interface TemplateRowProps {
  template: TemplateSummary;
  /** When, and by whom. */
  kept: string;
  /** Whether it is this one that is worked on. */
  open: boolean;
  onOpen(wanted: boolean): void;
  onChoose(): void;
  rename(name: string): Promise<unknown>;
  remove(): Promise<unknown>;
}

const nameForm = z.object({ name: line("Please enter a name", templateNameMaxLength) });

/** One template: the name begins a post with it, the buttons rename and delete it where it stands. */
export function TemplateRow({ template, kept, open, onOpen, onChoose, rename, remove }: TemplateRowProps) {
  const [work, setWork] = useState<"rename" | "delete">("rename");
  const toggle = (wanted: "rename" | "delete") => {
    onOpen(!open || work !== wanted);
    setWork(wanted);
  };
  return (
    <li className={css.item}>
      <div className={css.row}>
        <button type="button" className={css.choose} onClick={onChoose}>
          <Icon name="file" />
          <span className={css.name}>{template.name}</span>
          <span className={css.when}>{kept}</span>
        </button>
        <span className={css.actions}>
          <IconButton
            icon="pencil"
            label={`Rename ${template.name}`}
            aria-expanded={open && work === "rename"}
            onClick={() => toggle("rename")}
          />
          <IconButton
            icon="trash"
            label={`Delete ${template.name}`}
            className={css.danger}
            aria-expanded={open && work === "delete"}
            onClick={() => toggle("delete")}
          />
        </span>
      </div>
      {open && work === "rename" && (
        <Work>
          <ContractForm
            schema={nameForm}
            initialValues={{ name: template.name }}
            failure="The template was not renamed. Please try again later."
            onSubmit={async ({ name }) => {
              if (name !== template.name) await rename(name);
              onOpen(false);
            }}
          >
            {({ submitting }) => (
              <>
                <TextField name="name" label="Name of the template" autoComplete="off" maxLength={templateNameMaxLength} autoFocus />
                <div className={css.buttons}>
                  <Button onClick={() => onOpen(false)}>Cancel</Button>
                  <Button type="submit" variant="primary" busy={submitting}>
                    Rename
                  </Button>
                </div>
              </>
            )}
          </ContractForm>
        </Work>
      )}
      {open && work === "delete" && <Deletion remove={remove} onClose={() => onOpen(false)} />}
    </li>
  );
}

/** Gives the focus back to the button that opened it, or to the next template's. */
function Work({ children }: { children: ReactNode }) {
  useReturnFocus();
  return <div className={css.work}>{children}</div>;
}

function Deletion({ remove, onClose }: Pick<TemplateRowProps, "remove"> & { onClose(): void }) {
  const [busy, setBusy] = useState(false);
  const [problem, setProblem] = useState<string>();
  async function act() {
    setBusy(true);
    try {
      await remove();
    } catch (error) {
      const isGone = error instanceof ApiError && error.code === "not_found"; // a colleague was faster
      if (!isGone) setProblem(error instanceof ApiError ? error.message : "The template was not deleted. Please try again later.");
    }
    setBusy(false);
  }
  return (
    <Work>
      <p>It is deleted for everybody. Posts that were made with it stay.</p>
      {problem && (
        <p className={css.taken} role="alert">
          {problem}
        </p>
      )}
      <div className={css.buttons}>
        <Button onClick={onClose}>Cancel</Button>
        <Button variant="danger" busy={busy} autoFocus onClick={() => void act()}>
          Delete
        </Button>
      </div>
    </Work>
  );
}
