import { useLayoutEffect, useState } from "react";
import { useField, useForm } from "react-final-form";

/**
 * A field of a react-final-form form that keeps its value when it is mounted again and accepts input from the first paint.
 * react-final-form 7 sets a field back to its initial value when it mounts unregistered, and registers it in a passive effect.
 */
export const useFormField: typeof useField = (name, config) => {
  const form = useForm();
  useLayoutEffect(() => form.registerField(name, () => undefined, {}, { silent: true }), [form, name]);
  const [, setThere] = useState(false);
  useLayoutEffect(() => setThere(true), []); // a state change here makes React flush useField's passive effects in this commit
  return useField(name, config);
};
