import { type ComponentProps, type ReactNode, useId, useState } from "react";
import type { z } from "zod";
import { Button } from "./button.tsx";
import { ContractForm } from "./contract-form.tsx";
import { Dialog } from "./dialog.tsx";

interface FormDialogProps<Schema extends z.ZodObject> extends Omit<ComponentProps<typeof ContractForm<Schema>>, "children" | "id"> {
  title: string;
  width: string;
  /** Label of the submit button. */
  verb: string;
  danger?: boolean;
  onClose: () => void;
  children: ReactNode;
}

/** A form in a dialog whose buttons stay visible. */
export function FormDialog<Schema extends z.ZodObject>({
  title,
  width,
  verb,
  danger,
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
      hasForm
      onClose={onClose}
      footer={
        <>
          <Button onClick={onClose}>Cancel</Button>
          <Button type="submit" form={id} variant={danger ? "danger" : "primary"} busy={busy}>
            {verb}
          </Button>
        </>
      }
    >
      <ContractForm {...form} id={id} onSubmit={submit}>
        {children}
      </ContractForm>
    </Dialog>
  );
}
