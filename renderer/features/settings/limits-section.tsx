import type { z } from 'zod';
import { Limits, Settings } from '../../../core/protocol/settings.ts';
import { settingsStrings } from '../../shared/settings-strings.ts';
import { faultWords } from './fault-words.ts';
import { NumberSetting } from './number-setting.tsx';
import { Group, Note, Section } from './setting.tsx';
import { useSettingValues } from './use-settings.ts';

const words = settingsStrings.limits;
type LimitKey = keyof typeof words.names;

const GROUPS: Readonly<Record<keyof typeof words.groups, readonly LimitKey[]>> = {
  work: ['limits.concurrency', 'limits.concurrencyPerSet'],
  tree: ['limits.maxDepth', 'limits.fanOut', 'limits.fanOutPerTurn', 'limits.maxTurns', 'limits.summaryChars'],
  time: [
    'limits.idleSeconds',
    'limits.toolIdleSeconds',
    'limits.openRequestSeconds',
    'limits.stopGraceSeconds',
    'retries',
  ],
  money: ['limits.treeCostUsd', 'limits.treeTokens', 'limits.dayCostUsd', 'limits.dayTokens'],
};

const DEFAULTS = Settings.parse({});

function valueIn(settings: Settings, key: LimitKey): number | null {
  if (key === 'retries') return settings.retries;
  return settings.limits[key.slice('limits.'.length) as keyof Limits] ?? null;
}

/** Why the core would refuse the number, or null. */
function faultOf(key: LimitKey, value: number): string | null {
  const schema: z.ZodType =
    key === 'retries' ? Settings.shape.retries : Limits.shape[key.slice('limits.'.length) as keyof Limits];
  const parsed = schema.safeParse(value);
  return parsed.success ? null : faultWords(parsed.error);
}

/** Every limit with its default and unit. What the user set stays the user's when a default is lifted (D6). */
export function LimitsSection() {
  const settings = useSettingValues();
  return (
    <Section title={settingsStrings.sections.limits} intro={words.intro}>
      {settings === undefined && <Note>{settingsStrings.loading}</Note>}
      {settings !== undefined &&
        (Object.keys(GROUPS) as (keyof typeof GROUPS)[]).map((group) => (
          <Group key={group} title={words.groups[group]}>
            {GROUPS[group].map((key) => {
              const [label, hint, unit] = words.names[key];
              return (
                <NumberSetting
                  key={key}
                  path={key}
                  label={label}
                  hint={hint}
                  unit={unit}
                  value={valueIn(settings, key)}
                  standard={valueIn(DEFAULTS, key)}
                  none={words.none}
                  check={(value) => faultOf(key, value)}
                />
              );
            })}
          </Group>
        ))}
    </Section>
  );
}
