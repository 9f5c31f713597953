interface ChoiceOptions {
  choices: readonly (readonly [value: string, label: string])[];
  value: string;
  disabled: boolean;
}

/** A small drop-down inside a block. */
export function choiceOf({ choices, value, disabled }: ChoiceOptions): HTMLSelectElement {
  const select = document.createElement("select");
  select.className = "post-choice";
  select.disabled = disabled;
  select.append(...choices.map(([one, label]) => new Option(label, one, false, one === value)));
  // Its keys are not the text's; those with Ctrl or Cmd are the page's.
  select.addEventListener("keydown", (event) => event.ctrlKey || event.metaKey || event.stopPropagation());
  return select;
}
