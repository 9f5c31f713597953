import { Link } from "react-router-dom";
import { type DateFormat, dateFormats, footerMaxLength } from "#contract/appearance-choices.ts";
import { type Locale, localeNames, locales } from "#contract/locales.ts";
import { datesIn } from "#contract/i18n/dates.ts";
import type { Workspace } from "#contract/workspaces.ts";
import { type Choice, ChoiceGroup } from "../../ui/choice-group.tsx";
import { ImageSetting } from "../../ui/image-setting.tsx";
import { SettingGroup } from "../../ui/section.tsx";
import { SelectRow } from "../../ui/select.tsx";
import { SwitchRow } from "../../ui/switch.tsx";
import { TextField } from "../../ui/text-field.tsx";
import { paths } from "../../lib/paths.ts";
import { logoRules } from "../../lib/image-rules.ts";
import { useFormField } from "../../lib/use-form-field.ts";
import { useUpdateWorkspace } from "../workspace-settings/use-update-workspace.ts";
import { AccentField } from "./accent-field.tsx";
import { LinksField } from "./links-field.tsx";
import type { AppearanceState } from "./use-appearance.ts";
import type { LookValues } from "./values.ts";
import { Grid, Note } from "../../ui/layout.tsx";

interface LookFormProps {
  workspace: Workspace;
  appearance: AppearanceState;
  locale: Locale;
  disabled: boolean;
}

const fontChoices: readonly Choice<LookValues["font"]>[] = [
  { value: "inter", label: "Inter" },
  { value: "geist", label: "Geist" },
  { value: "source-serif", label: "Source Serif" },
  { value: "system", label: "System font" },
];
const themeChoices: readonly Choice<LookValues["theme"]>[] = [
  { value: "system", label: "Match system" },
  { value: "light", label: "Light" },
  { value: "dark", label: "Dark" },
];
const layoutChoices: readonly Choice<LookValues["layout"]>[] = [
  { value: "posts", label: "Full posts" },
  { value: "excerpts", label: "Excerpts" },
];
const localeChoices: readonly Choice<Locale>[] = locales.map((locale) => ({ value: locale, label: localeNames[locale] }));

export function LookForm({ workspace, locale, disabled }: Omit<LookFormProps, "appearance">) {
  return (
    <>
      <SettingGroup title="Colour">
        <AccentField disabled={disabled} />
        <FormChoice name="theme" legend="Theme" choices={themeChoices} disabled={disabled} />
        <Note>
          For your page. <Link to={paths.widget(workspace.id)}>The widget</Link> has its own theme.
        </Note>
      </SettingGroup>
      <SettingGroup
        title="Typeface"
        text="Self-hosted, so no third party can track your readers."
        beside={<FormChoice name="font" legend="Typeface" hideLegend choices={fontChoices} disabled={disabled} />}
      />
      <SettingGroup title="List" text="How posts appear on your page.">
        <FormChoice name="layout" legend="Posts" choices={layoutChoices} disabled={disabled} />
        <FormChoice name="date_format" legend="Dates" choices={dateChoices(locale)} disabled={disabled} />
      </SettingGroup>
      <SettingGroup
        title="Language"
        text="Language of your page, widget and emails. Posts aren't translated."
        beside={<FormChoice name="locale" legend="Language" hideLegend choices={localeChoices} disabled={disabled} />}
      />
    </>
  );
}

/** Settings that need the page's whole width. */
export function WideLookForm({ workspace, appearance, disabled }: Omit<LookFormProps, "locale">) {
  const { uploadLogo, removeLogo } = useUpdateWorkspace(workspace.id);
  return (
    <div>
      {!disabled && (
        <SettingGroup title="Images" beside={<Note>Saved on upload.</Note>}>
          <Grid min="16rem">
            <ImageSetting label="Logo" rules={logoRules} current={workspace.logo_url} save={uploadLogo} remove={removeLogo} />
            <ImageSetting label="Logo on dark pages" rules={logoRules} {...appearance.picture("logo-dark")} />
            <ImageSetting label="Favicon" rules={logoRules} {...appearance.picture("favicon")} />
          </Grid>
        </SettingGroup>
      )}
      <SettingGroup title="Header and footer">
        <Grid min="16rem">
          <LinksField disabled={disabled} />
          <TextField name="footer" label="Footer text" optional placeholder="© Acme GmbH" maxLength={footerMaxLength} disabled={disabled} />
          <BrandingSwitch disabled={disabled} />
        </Grid>
      </SettingGroup>
    </div>
  );
}

/** Examples in the page's language. */
function dateChoices(locale: Locale): readonly Choice<DateFormat>[] {
  const day = new Date(Date.UTC(2026, 10, 23));
  return dateFormats.map((format) => ({ value: format, label: datesIn(locale, format).day(day) }));
}

interface FormChoiceProps<Value extends string> {
  name: string;
  legend: string;
  hideLegend?: boolean;
  choices: readonly Choice<Value>[];
  disabled: boolean;
}

function FormChoice<Value extends string>({ name, ...group }: FormChoiceProps<Value>) {
  const { input } = useFormField<Value>(name);
  if (group.choices.length <= 3) return <ChoiceGroup {...group} inline value={input.value} onChange={(value) => input.onChange(value)} />;
  const { legend, hideLegend, choices, disabled } = group;
  return (
    <SelectRow
      label={legend}
      hideLabel={hideLegend}
      disabled={disabled}
      value={input.value}
      options={choices.map(({ value, label }) => [value, label] as const)}
      onChange={(value) => input.onChange(value)}
    />
  );
}

function BrandingSwitch({ disabled }: { disabled: boolean }) {
  const { input } = useFormField<boolean>("branding");
  return (
    <SwitchRow
      label="Show “Published with Tidings”"
      checked={input.value === true}
      disabled={disabled}
      onChange={(checked) => input.onChange(checked)}
    />
  );
}
