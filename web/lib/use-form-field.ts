import { useLayoutEffect, useState } from "react";
import { useField } from "react-final-form";

/**
 * A field of a react-final-form form that takes what is typed from the moment it is seen. react-final-form registers it in an effect, which React
 * would leave for a quieter moment, and what is typed before that is taken away again.
 */
export const useFormField: typeof useField = (name, config) => {
  const [, setThere] = useState(false);
  useLayoutEffect(() => setThere(true), []); // a change of state at this point: React ends the commit with all of its effects
  return useField(name, config);
};
