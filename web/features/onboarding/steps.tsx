import { useForm, useFormState } from "react-final-form";
import { useEffect, useRef, type ReactNode } from "react";
import { subdomainMaxLength, workspaceNameMaxLength, jobTitleMaxLength } from "#contract/limits.ts";
import { withScheme } from "#contract/rules/website.ts";
import { Icon } from "../../ui/icon.tsx";
import { TextField } from "../../ui/text-field.tsx";
import { publicAddress, useConfig } from "../../lib/config.ts";
import { logoRules, avatarRules } from "../../lib/image-rules.ts";
import type { Pictures } from "./picture-store.ts";
import { suggestSubdomain } from "./suggest-subdomain.ts";
import type { SubdomainCheck } from "./use-subdomain-check.ts";
import { ImageField } from "../../ui/image-field.tsx";
import { classNames } from "../../lib/class-names.ts";
import { usePageTitle } from "../../lib/use-page-title.ts";
import { Stack, Text } from "../../ui/layout.tsx";
import css from "./onboarding.module.css";

interface CompanyStepProps {
  check: SubdomainCheck;
  logo: Pictures["logo"];
  onLogo: (file: File | undefined) => void;
}

/** The subdomain follows the name until edited. */
export function CompanyStep({ check, logo, onLogo }: CompanyStepProps) {
  const host = useConfig()?.host;
  const { values } = useFormState<{ name?: string; subdomain?: string }>({ subscription: { values: true } });
  const form = useForm();
  function suggest(name: string) {
    const follows = (values.subdomain ?? "") === suggestSubdomain(values.name ?? "");
    if (follows) form.change("subdomain", suggestSubdomain(name));
  }

  return (
    <Stack gap={6}>
      <TextField name="name" label="Business name" autoComplete="organization" maxLength={workspaceNameMaxLength} onTyped={suggest} />
      <TextField
        name="subdomain"
        label="Custom subdomain"
        autoComplete="off"
        maxLength={subdomainMaxLength}
        suffix={host && `.${host}`}
        hint={check.state !== "free" && "This will be your changelog URL subdomain"}
        status={
          <Availability
            check={check}
            address={host && values.subdomain && publicAddress({ subdomain: values.subdomain.toLowerCase().trim() }, host)}
          />
        }
        error={check.state === "refused" ? check.sentence : undefined}
      />
      <TextField
        name="origin"
        label="Business website"
        type="url"
        autoComplete="url"
        placeholder="https://example.com"
        complete={withScheme}
      />
      <ImageField label="Logo" rules={logoRules} file={logo} optional onChoose={onLogo} />
    </Stack>
  );
}

function Availability({ check, address }: { check: SubdomainCheck; address: string | undefined }) {
  if (check.state === "asking") return <>Checking availability…</>;
  if (check.state !== "free" || !address) return null;
  return (
    <Text as="span" tone="ok">
      <Icon name="check-circle" /> Available. Your page will be at <strong>{address}</strong>
    </Text>
  );
}

export function PersonStep({ avatar, onAvatar }: { avatar: Pictures["avatar"]; onAvatar: (file: File | undefined) => void }) {
  return (
    <Stack gap={6}>
      <TextField name="jobTitle" label="Job title" autoComplete="organization-title" maxLength={jobTitleMaxLength} />
      <ImageField label="Avatar" rules={avatarRules} file={avatar} optional round onChoose={onAvatar} />
    </Stack>
  );
}

/** A step that slides in and out; focuses its heading. */
export function StepFrame({ title, moving, children }: { title: string; moving: "in" | "out" | undefined; children: ReactNode }) {
  usePageTitle(title);
  const heading = useRef<HTMLHeadingElement>(null);
  useEffect(() => heading.current?.focus({ preventScroll: true }), []);
  return (
    <Stack gap={6} className={classNames(css.step, moving && css[moving])} aria-busy={moving !== undefined}>
      <h1 ref={heading} tabIndex={-1}>
        {title}
      </h1>
      {children}
    </Stack>
  );
}
