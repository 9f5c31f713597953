import { Skeleton } from "../../ui/skeleton.tsx";
import css from "./block-editor.module.css";

export function BodySkeleton() {
  return (
    <div className={css.skeleton}>
      {["96%", "88%", "62%", "40%", "94%", "91%", "55%"].map((width, index) => (
        <Skeleton key={width} width={width} height={index === 3 ? "1.75rem" : "1.125rem"} />
      ))}
    </div>
  );
}
