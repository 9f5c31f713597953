import { useId, useState } from "react";
import { useForm, useFormState } from "react-final-form";
import type { z } from "zod";
import { askedSources, importEndpoints } from "#contract/imports.ts";
import { ContractForm, SubmitButton } from "../../ui/contract-form.tsx";
import { FieldFrame } from "../../ui/field-frame.tsx";
import { FormError } from "../../ui/form-error.tsx";
import { Grid, Stack, Text } from "../../ui/layout.tsx";
import { Select } from "../../ui/select.tsx";
import { TextField } from "../../ui/text-field.tsx";
import { useFormField } from "../../lib/use-form-field.ts";
import { DropArea } from "./drop-area.tsx";
import { questionLabels, type AskedSource } from "./source-labels.ts";
import type { Importer } from "./use-importer.ts";

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
    <>
      {message && <FormError title="Couldn't read this" message={message} />}
      <Grid min="22rem" gap={8}>
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
          <ContractForm
            schema={form}
            initialValues={typed}
            failure="Couldn't reach the source. Please try again."
            onSubmit={async ({ source, address, key }) => {
              onTyped({ source, address, key });
              const { address: hasAddress, key: hasKey } = questionLabels[source];
              await importer.ask({ source, address: hasAddress ? address : "", key: hasKey ? key : "" });
            }}
          >
            <Fields />
          </ContractForm>
        </Stack>
      </Grid>
    </>
  );
}

/** Product, URL and key of another server. */
function Fields() {
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
      <SubmitButton>Preview posts</SubmitButton>
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
        style={{ width: "100%" }}
        options={askedSources.map((source) => [source, questionLabels[source].choice])}
        onChange={choose}
      />
    </FieldFrame>
  );
}
