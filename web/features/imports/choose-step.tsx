import { useState } from "react";
import { FormError } from "../../components/form-error.tsx";
import { AddressForm, type TypedQuestion } from "./address-form.tsx";
import { DropArea } from "./drop-area.tsx";
import type { Importer } from "./use-importer.ts";
import css from "./choose-step.module.css";

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
