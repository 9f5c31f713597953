interface ChoiceOptions {
  choices: readonly (readonly [value: string, label: string])[];
  value: string;
  disabled: boolean;
}

export function choiceOf({ choices, value, disabled }: ChoiceOptions): HTMLSelectElement {
  const select = document.createElement("select");
  select.className = "post-choice";
  select.disabled = disabled;
  select.append(...choices.map(([one, label]) => new Option(label, one, false, one === value)));
  // Keys of the select aren't for the text; Ctrl/Cmd shortcuts are the page's.
  select.addEventListener("keydown", (event) => event.ctrlKey || event.metaKey || event.stopPropagation());
  return select;
}
