import { useId, useState } from "react";
import { useForm, useFormState } from "react-final-form";
import type { z } from "zod";
import { askedSources, importEndpoints } from "#contract/imports.ts";
import { Button } from "../../ui/button.tsx";
import { ContractForm } from "../../ui/contract-form.tsx";
import { FieldFrame } from "../../ui/field-frame.tsx";
import { FormError } from "../../ui/form-error.tsx";
import { Stack, Text } from "../../ui/layout.tsx";
import { Select } from "../../ui/select.tsx";
import { TextField } from "../../ui/text-field.tsx";
import { useFormField } from "../../lib/use-form-field.ts";
import { DropArea } from "./drop-area.tsx";
import type { Question } from "./reading.ts";
import { questionLabels, type AskedSource } from "./source-labels.ts";
import type { Importer } from "./use-importer.ts";
import css from "./imports.module.css";

const form = importEndpoints.source.body!.pick({ source: true, address: true, key: true });

export type TypedQuestion = z.input<typeof form>;

interface ChooseStepProps {
  importer: Importer;
  /** Error of the last choice. */
  problem: string | undefined;
  typed: TypedQuestion;
  onTyped: (typed: TypedQuestion) => void;
}

export function ChooseStep({ importer, problem, typed, onTyped }: ChooseStepProps) {
  const [unreadable, setUnreadable] = useState(false);
  const message = unreadable ? "Couldn't open what you dropped. Choose it with the button instead." : problem;
  return (
    <div className={css.ways}>
      {message && <FormError title="Couldn't read this" message={message} />}
      <Stack as="section" gap={3} aria-labelledby="import-files">
        <h2 id="import-files">From files</h2>
        <DropArea
          onFiles={(files) => {
            setUnreadable(false);
            importer.choose(files);
          }}
          onUnreadable={() => setUnreadable(true)}
        />
      </Stack>
      <Stack as="section" gap={3} aria-labelledby="import-address">
        <div>
          <h2 id="import-address">Or from a URL</h2>
          <Text tone="muted">We'll fetch your posts directly from the other product.</Text>
        </div>
        <div className={css.form}>
          <AddressForm typed={typed} onTyped={onTyped} ask={importer.ask} />
        </div>
      </Stack>
    </div>
  );
}

interface AddressFormProps {
  /** Earlier input. */
  typed: TypedQuestion;
  onTyped: (typed: TypedQuestion) => void;
  /** Throws ApiError with field errors. */
  ask: (question: Question) => Promise<void>;
}

/** Product, URL and key of another server. */
function AddressForm({ typed, onTyped, ask }: AddressFormProps) {
  return (
    <ContractForm
      schema={form}
      initialValues={typed}
      failure="Couldn't reach the source. Please try again."
      onSubmit={async ({ source, address, key }) => {
        onTyped({ source, address, key });
        const { address: hasAddress, key: hasKey } = questionLabels[source];
        await ask({ source, address: hasAddress ? address : "", key: hasKey ? key : "" });
      }}
    >
      {({ submitting }) => <Fields submitting={submitting} />}
    </ContractForm>
  );
}

function Fields({ submitting }: { submitting: boolean }) {
  const { values } = useFormState<TypedQuestion>({ subscription: { values: true } });
  const { address, key } = questionLabels[values.source];
  return (
    <>
      <SourceField />
      {address && (
        <TextField
          name="address"
          label={address.label}
          placeholder={address.placeholder}
          hint={address.hint}
          autoComplete="off"
          maxLength={2_048}
          key={`address of ${values.source}`}
        />
      )}
      {key && (
        <TextField
          name="key"
          label={key.label}
          type="password"
          hint={key.hint}
          optional={key.optional}
          autoComplete="off"
          maxLength={500}
          key={`key of ${values.source}`}
        />
      )}
      <div>
        <Button type="submit" busy={submitting}>
          Preview posts
        </Button>
      </div>
    </>
  );
}

function SourceField() {
  const id = useId();
  const form = useForm<TypedQuestion>();
  const { input } = useFormField<AskedSource>("source");
  function choose(source: string) {
    form.batch(() => {
      input.onChange(source);
      form.change("address", "");
      form.change("key", ""); // never send a key to another product
    });
  }
  return (
    <FieldFrame id={id} label="Source">
      <Select
        {...input}
        id={id}
        className={css.select}
        options={askedSources.map((source) => [source, questionLabels[source].choice])}
        onChange={choose}
      />
    </FieldFrame>
  );
}
