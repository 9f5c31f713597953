import { useId } from "react";
import { useForm, useFormState } from "react-final-form";
import type { z } from "zod";
import { askedSources, importEndpoints } from "#contract/imports.ts";
import { Button } from "../../components/button.tsx";
import { ContractForm } from "../../components/contract-form.tsx";
import { FieldFrame } from "../../components/field-frame.tsx";
import { TextField } from "../../components/text-field.tsx";
import { useFormField } from "../../lib/use-form-field.ts";
import type { Question } from "./ask-source.ts";
import { askingWords, type AskedSource } from "./source-words.ts";
import css from "./address-form.module.css";

const form = importEndpoints.source.body!.pick({ source: true, address: true, key: true });

export type TypedQuestion = z.input<typeof form>;

interface AddressFormProps {
  /** What was typed before something was read: it is all there again. */
  typed: TypedQuestion;
  onTyped: (typed: TypedQuestion) => void;
  /** Throws the ApiError that says at which field something is wrong. */
  ask: (question: Question) => Promise<void>;
}

/** From another product's server: which, where, and the key to it. */
export function AddressForm({ typed, onTyped, ask }: AddressFormProps) {
  return (
    <ContractForm
      schema={form}
      initialValues={typed}
      failure="The source could not be asked. Please try again."
      onSubmit={async ({ source, address, key }) => {
        onTyped({ source, address, key });
        const { address: hasAddress, key: hasKey } = askingWords[source];
        await ask({ source, address: hasAddress ? address : "", key: hasKey ? key : "" });
      }}
    >
      {({ submitting }) => <Fields submitting={submitting} />}
    </ContractForm>
  );
}

function Fields({ submitting }: { submitting: boolean }) {
  const { values } = useFormState<TypedQuestion>({ subscription: { values: true } });
  const { address, key } = askingWords[values.source];
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
            {askingWords[source].choice}
          </option>
        ))}
      </select>
    </FieldFrame>
  );
}
