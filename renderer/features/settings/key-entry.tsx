import { useQuery } from '@tanstack/react-query';
import { useState } from 'react';
import { api, queryClient } from '../../app/client.ts';
import { settingsStrings } from '../../shared/settings-strings.ts';
import { Button } from '../../ui/button.tsx';
import { Select } from '../../ui/select.tsx';
import { KeyForm } from './key-form.tsx';
import { useKeyPlace } from './use-providers.ts';
import './settings.css';

const words = settingsStrings.providers;

/** A way to enter the key of a provider that has none, wherever models are set up. */
export function KeyEntry() {
  const [open, setOpen] = useState(false);
  const [chosen, setChosen] = useState('');
  const providers = useQuery(api.providers.list.queryOptions()).data ?? [];
  const place = useKeyPlace();
  const lacking = providers.filter(({ key }) => key.from === 'missing' && key.variables.length > 0);
  const provider = lacking.find(({ id }) => id === chosen) ?? lacking[0];
  const variable = provider?.key.variables[0];
  if (provider === undefined || variable === undefined || place === undefined) return null;
  if (!open) return <Button onClick={() => setOpen(true)}>{words.enterKey}</Button>;
  const done = (kept: boolean): void => {
    setOpen(false);
    if (kept) void queryClient.invalidateQueries({ queryKey: api.onboarding.key() });
  };
  return (
    <div className="step-panel">
      <div className="flex items-center gap-2 px-3 pt-3">
        <Select
          name={words.keyProvider}
          value={provider.id}
          options={lacking.map(({ id, label }) => ({ value: id, label }))}
          onChange={setChosen}
        />
      </div>
      <KeyForm
        key={provider.id}
        id={provider.label}
        variable={variable}
        place={place}
        prepare={() => Promise.resolve(true)}
        keep={words.keepOnly}
        onDone={done}
      />
    </div>
  );
}
