import { ui, useUi } from '../../app/ui-store.ts';
import { settingsStrings } from '../../shared/settings-strings.ts';
import { strings } from '../../shared/strings.ts';
import { Segmented } from '../../ui/segmented.tsx';
import { Group, Section, Setting } from './setting.tsx';

const words = settingsStrings.appearance;

/** The choices of a catalogue entry, in its order. */
function choicesOf<Value extends string>(labels: Readonly<Record<Value, string>>): { value: Value; label: string }[] {
  return (Object.entries(labels) as [Value, string][]).map(([value, label]) => ({ value, label }));
}

/** Theme, contrast, size of text and motion: of this device, and so kept by the page. */
export function AppearanceSection() {
  const { theme, contrast, textSize, motion } = useUi();
  return (
    <Section title={settingsStrings.sections.appearance} intro={words.intro}>
      <Group>
        <Setting id="theme" label={words.theme}>
          <Segmented
            name={words.theme}
            value={theme}
            options={choicesOf(strings.frame.themes)}
            onChange={ui.setTheme}
          />
        </Setting>
        <Setting id="contrast" label={words.contrast} hint={words.contrastHint}>
          <Segmented
            name={words.contrast}
            value={contrast}
            options={choicesOf(words.contrasts)}
            onChange={(value) => {
              ui.setLook({ contrast: value });
            }}
          />
        </Setting>
        <Setting id="text" label={words.text} hint={words.textHint}>
          <Segmented
            name={words.text}
            value={textSize}
            options={choicesOf(words.texts)}
            onChange={(value) => {
              ui.setLook({ textSize: value });
            }}
          />
        </Setting>
        <Setting id="motion" label={words.motion} hint={words.motionHint}>
          <Segmented
            name={words.motion}
            value={motion}
            options={choicesOf(words.motions)}
            onChange={(value) => {
              ui.setLook({ motion: value });
            }}
          />
        </Setting>
      </Group>
    </Section>
  );
}
