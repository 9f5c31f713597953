import { Navigate } from "react-router-dom";
import { paths } from "../app/paths.ts";

export function Component() {
  return <Navigate to={paths.workspaces} replace />;
}
