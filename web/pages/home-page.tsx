import { Navigate } from "react-router-dom";
import { paths } from "../lib/paths.ts";

export function Component() {
  return <Navigate to={paths.workspaces} replace />;
}
