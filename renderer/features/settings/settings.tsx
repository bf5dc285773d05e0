import { useQuery } from '@tanstack/react-query';
import type { KeyboardEvent, ReactNode } from 'react';
import { api, attempt, core, queryClient } from '../../app/client.ts';
import { useCommand } from '../../app/commands.ts';
import type { UiState } from '../../app/ui-state.ts';
import { closeOverlay, openOverlay, ui, useOverlay, useUi } from '../../app/ui-store.ts';
import { startStrings } from '../../shared/start-strings.ts';
import { strings } from '../../shared/strings.ts';
import { IconButton } from '../../ui/button.tsx';
import { Dialog } from '../../ui/dialog.tsx';
import { Select } from '../../ui/select.tsx';
import { placeAfterKey } from '../../ui/tabs.tsx';

const words = startStrings.settings;
const THEMES = ['system', 'light', 'dark'] as const satisfies readonly UiState['theme'][];

function Setting({
  label,
  hint,
  children,
}: {
  readonly label: string;
  readonly hint?: string;
  readonly children: ReactNode;
}) {
  return (
    <div className="flex min-h-[32px] items-center justify-between gap-4">
      <div>
        <p className="font-med">{label}</p>
        {hint !== undefined && <p className="text-11 text-ink-3">{hint}</p>}
      </div>
      {children}
    </div>
  );
}

function Theme() {
  const theme = useUi((state) => state.theme);
  const onKeyDown = (event: KeyboardEvent<HTMLDivElement>): void => {
    const place = placeAfterKey(event.key, THEMES.indexOf(theme), THEMES.length);
    const next = place === null ? undefined : THEMES[place];
    if (place === null || next === undefined) return;
    event.preventDefault();
    ui.setTheme(next);
    event.currentTarget.querySelectorAll<HTMLElement>('[role="radio"]')[place]?.focus();
  };
  return (
    <Setting label={words.theme}>
      <div role="radiogroup" aria-label={words.theme} className="segmented" onKeyDown={onKeyDown}>
        {THEMES.map((one) => (
          <button
            key={one}
            type="button"
            role="radio"
            aria-checked={one === theme}
            tabIndex={one === theme ? 0 : -1}
            onClick={() => ui.setTheme(one)}
          >
            {strings.frame.themes[one]}
          </button>
        ))}
      </div>
    </Setting>
  );
}

function save(key: 'defaultModel' | 'defaultAgent', value: string): void {
  void attempt(words.failed, async () => {
    queryClient.setQueryData(api.settings.get.queryKey(), await core.settings.set({ key, value }));
  });
}

function Defaults() {
  const settings = useQuery(api.settings.get.queryOptions()).data;
  const models = useQuery(api.models.list.queryOptions()).data ?? [];
  const agents = useQuery(api.agents.list.queryOptions()).data ?? [];
  if (settings === undefined) return null;
  const model = settings.defaultModel ?? '';
  return (
    <>
      <Setting label={words.model} hint={words.modelHint}>
        <Select
          name={words.model}
          className="w-[220px] flex-none"
          value={model}
          disabled={models.length === 0}
          options={[
            ...(model === '' ? [{ value: '', label: words.none, disabled: true }] : []),
            ...models.map(({ ref, has_key }) => ({
              value: ref,
              label: has_key ? ref : `${ref} (${words.noKey})`,
              disabled: !has_key,
            })),
          ]}
          onChange={(value) => save('defaultModel', value)}
        />
      </Setting>
      <Setting label={words.agent} hint={words.agentHint}>
        <Select
          name={words.agent}
          className="w-[220px] flex-none"
          value={settings.defaultAgent}
          options={agents.map(({ id }) => ({ value: id, label: id }))}
          onChange={(value) => save('defaultAgent', value)}
        />
      </Setting>
    </>
  );
}

/** The few settings that have a control: theme, default model and agent. */
export function Settings() {
  const open = useOverlay((state) => state.overlay?.type === 'settings');
  useCommand({ id: 'settings', title: words.title, chord: 'mod+,', run: () => openOverlay({ type: 'settings' }) });
  if (!open) return null;
  return (
    <Dialog name={words.title} onClose={closeOverlay} className="w-[480px]">
      <div className="flex items-center px-4 pt-3">
        <h2 className="grow text-15 font-semi">{words.title}</h2>
        <IconButton icon="close" name={strings.dialog.close} onClick={closeOverlay} />
      </div>
      <div className="flex flex-col gap-2 px-4 pt-2 pb-4">
        <Theme />
        <Defaults />
      </div>
    </Dialog>
  );
}
