import { type ComponentProps, type ReactNode, useId, useState } from "react";
import type { z } from "zod";
import { Button } from "../../ui/button.tsx";
import { ContractForm } from "../../ui/contract-form.tsx";
import { Dialog } from "../../ui/dialog.tsx";
import css from "./form-dialog.module.css";

interface FormDialogProps<Schema extends z.ZodObject> extends Omit<ComponentProps<typeof ContractForm<Schema>>, "children" | "id"> {
  title: string;
  width: string;
  /** Label of the submit button. */
  verb: string;
  onClose: () => void;
  children: ReactNode;
}

/** A form in a dialog whose buttons stay visible. */
export function FormDialog<Schema extends z.ZodObject>({
  title,
  width,
  verb,
  onClose,
  onSubmit,
  children,
  ...form
}: FormDialogProps<Schema>) {
  const id = useId();
  const [busy, setBusy] = useState(false);

  async function submit(values: z.output<Schema>) {
    setBusy(true);
    try {
      await onSubmit(values);
    } finally {
      setBusy(false);
    }
  }

  return (
    <Dialog
      open
      title={title}
      width={width}
      onClose={onClose}
      footer={
        <>
          <Button onClick={onClose}>Cancel</Button>
          <Button type="submit" form={id} variant="primary" busy={busy}>
            {verb}
          </Button>
        </>
      }
    >
      <ContractForm {...form} id={id} onSubmit={submit}>
        {() => <div className={css.fields}>{children}</div>}
      </ContractForm>
    </Dialog>
  );
}
