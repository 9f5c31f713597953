import { buttonClass } from "../../../ui/button.tsx";
import type { CopiedImage } from "./editor-block.ts";

/** A notice below an image hosted on another site, with a button that copies it here. */
export function hotLinkNote(host: string, copy: () => Promise<CopiedImage>, onCopied: (file: object) => void): HTMLElement {
  const note = Object.assign(document.createElement("div"), { className: "post-hot-link", contentEditable: "false" });
  const words = Object.assign(document.createElement("p"), {
    textContent: `Readers' browsers load this image from ${host}, which sees their IP addresses.`,
  });
  words.setAttribute("role", "status");
  const button = Object.assign(document.createElement("button"), {
    type: "button",
    className: buttonClass({ size: "small" }),
    textContent: "Copy image here",
  });
  button.addEventListener("keydown", (event) => event.ctrlKey || event.metaKey || event.stopPropagation()); // keys of the button aren't for the text
  button.addEventListener("click", () => {
    button.disabled = true;
    button.textContent = "Copying…";
    void copy().then(({ file, problem }) => {
      if (file !== null) return onCopied(file);
      words.textContent = `Couldn't copy this image: ${withoutStop(problem)}. Upload it as a file, or leave it on ${host}.`;
      button.disabled = false;
      button.textContent = "Try again";
    });
  });
  note.append(words, button);
  return note;
}

export const withoutStop = (sentence: string): string => sentence.replace(/\.$/, "");
