import { Suspense, useState } from "react";
import { Link } from "react-router-dom";
import { Button } from "../../ui/button.tsx";
import { lazyPart } from "../../ui/lazy-part.tsx";
import { Section } from "../../ui/section.tsx";
import { paths } from "../../lib/paths.ts";
import { useWorkspaces } from "../workspaces/use-workspaces.ts";
import { Text } from "../../ui/layout.tsx";

const DeleteAccountDialog = lazyPart(() => import("./delete-account-dialog.tsx"), "DeleteAccountDialog");

/** Deletes the account, or lists the workspaces that need another owner first. */
export function DeleteAccountSection({ email }: { email: string }) {
  const [isOpen, setIsOpen] = useState(false);
  const owned = useWorkspaces().data?.workspaces.filter(({ role }) => role === "owner");
  if (!owned) return null;
  return (
    <Section
      title="Delete account"
      text="Your account, profile, sessions and keys are permanently deleted. Posts you wrote stay in their workspaces."
    >
      {owned.length > 0 ? (
        <>
          <p>You own these workspaces. Transfer ownership or delete them first:</p>
          <Text as="ul">
            {owned.map(({ id, name }) => (
              <li key={id}>
                <Link to={paths.settings(id)}>{name}</Link>
              </li>
            ))}
          </Text>
        </>
      ) : (
        <Button variant="danger" icon="trash" onClick={() => setIsOpen(true)}>
          Delete account
        </Button>
      )}
      <Suspense>{isOpen && <DeleteAccountDialog email={email} onClose={() => setIsOpen(false)} />}</Suspense>
    </Section>
  );
}
