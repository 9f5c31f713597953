import { withDefaults } from "#contract/widget-choices.ts";
import { ChoiceGroup } from "../../components/choice-group.tsx";
import { Section } from "../../components/section.tsx";
import { animations, delays, fonts, positions, radii, sizes, themes } from "./choices.ts";
import type { WidgetForm } from "./form.ts";
import type { WidgetFormState } from "./use-widget-form.ts";
import { MaxPosts } from "./max-posts.tsx";
import { SwitchRow } from "./switch-row.tsx";

interface SettingsFormProps {
  form: WidgetForm;
  problem: string | undefined;
  disabled: boolean;
  change: WidgetFormState["change"];
}

/** The five groups of settings. Source: specification, sections 2 and 3. */
export function SettingsForm({ form, problem, disabled, change }: SettingsFormProps) {
  const { appearance, positioning, behaviour, customisation, contentSettings } = withDefaults(form);
  return (
    <>
      <Section title="Appearance" text="Light, dark, or as the reader's system says.">
        <ChoiceGroup
          legend="Theme"
          hideLegend
          disabled={disabled}
          choices={themes}
          value={appearance.theme}
          onChange={(theme) => change("appearance", { theme })}
        />
      </Section>
      <Section title="Position" text="The corner of the window it stands in.">
        <ChoiceGroup
          legend="Position"
          hideLegend
          disabled={disabled}
          choices={positions}
          value={positioning.position}
          onChange={(position) => change("positioning", { position })}
        />
      </Section>
      <Section title="Behaviour" text="How it comes into view.">
        <SwitchRow
          label="Auto-open on new posts"
          disabled={disabled}
          checked={behaviour.autoOpenNewPosts}
          onChange={(autoOpenNewPosts) => change("behaviour", { autoOpenNewPosts })}
        />
        <ChoiceGroup
          legend="Animation"
          disabled={disabled}
          choices={animations}
          value={behaviour.animation}
          onChange={(animation) => change("behaviour", { animation })}
        />
        <ChoiceGroup
          legend="Trigger delay"
          disabled={disabled}
          choices={delays}
          value={behaviour.delay}
          onChange={(delay) => change("behaviour", { delay })}
        />
      </Section>
      <Section title="Customisation" text="So that it looks like a part of your site.">
        <ChoiceGroup
          legend="Size"
          disabled={disabled}
          choices={sizes}
          value={customisation.widgetSize}
          onChange={(widgetSize) => change("customisation", { widgetSize })}
        />
        <ChoiceGroup
          legend="Corner radius"
          disabled={disabled}
          choices={radii}
          value={customisation.cornerRadius}
          onChange={(cornerRadius) => change("customisation", { cornerRadius })}
        />
        <ChoiceGroup
          legend="Font"
          disabled={disabled}
          choices={fonts}
          value={customisation.fontFamily}
          onChange={(fontFamily) => change("customisation", { fontFamily })}
        />
      </Section>
      <Section title="Content" text="What its panel shows of your posts.">
        <MaxPosts
          value={contentSettings.maxPosts}
          problem={problem}
          disabled={disabled}
          onChange={(maxPosts) => change("contentSettings", { maxPosts })}
        />
        <SwitchRow
          label="Show post images"
          disabled={disabled}
          checked={contentSettings.showImages}
          onChange={(showImages) => change("contentSettings", { showImages })}
        />
        <SwitchRow
          label="Show author info"
          disabled={disabled}
          checked={contentSettings.showPostAuthor}
          onChange={(showPostAuthor) => change("contentSettings", { showPostAuthor })}
        />
      </Section>
    </>
  );
}
