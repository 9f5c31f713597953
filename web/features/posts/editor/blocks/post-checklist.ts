import Checklist from "@editorjs/checklist";

/** Enter is the checklist's own: Editor.js would add a second empty paragraph to the one that an empty last item gives way to. */
export class PostChecklist extends Checklist {
  override render(): HTMLElement {
    const element = super.render();
    element.addEventListener("keydown", (event) => event.key === "Enter" && event.stopPropagation());
    return element;
  }
}
