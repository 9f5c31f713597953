import { useId, useState } from "react";
import { useForm, useFormState } from "react-final-form";
import type { z } from "zod";
import { askedSources, importEndpoints } from "#contract/imports.ts";
import { Button } from "../../components/button.tsx";
import { ContractForm } from "../../components/contract-form.tsx";
import { FieldFrame } from "../../components/field-frame.tsx";
import { FormError } from "../../components/form-error.tsx";
import { TextField } from "../../components/text-field.tsx";
import { useFormField } from "../../lib/use-form-field.ts";
import { DropArea } from "./drop-area.tsx";
import type { Question } from "./reading.ts";
import { questionLabels, type AskedSource } from "./source-labels.ts";
import type { Importer } from "./use-importer.ts";
import css from "./choose-step.module.css";

const form = importEndpoints.source.body!.pick({ source: true, address: true, key: true });

export type TypedQuestion = z.input<typeof form>;

interface ChooseStepProps {
  importer: Importer;
  /** Why the last choice could not be read. */
  problem: string | undefined;
  typed: TypedQuestion;
  onTyped: (typed: TypedQuestion) => void;
}

/** Where posts come from: a file of any kind, or an address. */
export function ChooseStep({ importer, problem, typed, onTyped }: ChooseStepProps) {
  const [unreadable, setUnreadable] = useState(false);
  const said = unreadable ? "What you dropped could not be opened. Please choose it with the button." : problem;
  return (
    <div className={css.ways}>
      {said && <FormError title="This could not be read" message={said} />}
      <section className={css.way} aria-labelledby="import-files">
        <h2 id="import-files">From files</h2>
        <DropArea
          onFiles={(files) => {
            setUnreadable(false);
            importer.choose(files);
          }}
          onUnreadable={() => setUnreadable(true)}
        />
      </section>
      <section className={css.way} aria-labelledby="import-address">
        <div>
          <h2 id="import-address">Or from an address</h2>
          <p className={css.muted}>Our server asks the other product for your posts, page by page.</p>
        </div>
        <div className={css.form}>
          <AddressForm typed={typed} onTyped={onTyped} ask={importer.ask} />
        </div>
      </section>
    </div>
  );
}

interface AddressFormProps {
  /** What was typed before something was read: it is all there again. */
  typed: TypedQuestion;
  onTyped: (typed: TypedQuestion) => void;
  /** Throws the ApiError that says at which field something is wrong. */
  ask: (question: Question) => Promise<void>;
}

/** From another product's server: which, where, and the key to it. */
function AddressForm({ typed, onTyped, ask }: AddressFormProps) {
  return (
    <ContractForm
      schema={form}
      initialValues={typed}
      failure="The source could not be asked. Please try again."
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
          Look at its posts
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
      form.change("key", ""); // never sent to another product
    });
  }
  return (
    <FieldFrame id={id} label="Where from">
      <select {...input} onChange={({ target }) => choose(target.value)} id={id} className={css.select}>
        {askedSources.map((source) => (
          <option key={source} value={source}>
            {questionLabels[source].choice}
          </option>
        ))}
      </select>
    </FieldFrame>
  );
}
