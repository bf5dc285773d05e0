import { api, attempt, core, queryClient } from '../../app/client.ts';
import { openBatch } from '../../app/history.ts';
import { closeOverlay } from '../../app/ui-store.ts';
import { workStrings } from '../../shared/work-strings.ts';
import { toast } from '../../ui/toast.tsx';
import type { TemplateActions } from './template-row.tsx';

const words = workStrings.templates;

const refresh = (): Promise<void> => queryClient.invalidateQueries({ queryKey: api.templates.list.queryKey() });

/** Keeps a batch under a name. */
export async function saveTemplate(name: string, batch: unknown, replace: boolean): Promise<void> {
  await core.templates.save({ name, batch, replace });
  await refresh();
  toast(words.saved(name));
}

async function useTemplate(name: string): Promise<void> {
  await attempt(words.useFailed, async () => {
    const { batch } = await core.templates.load({ name });
    closeOverlay();
    openBatch(batch, name, 'here');
  });
}

/** The batch is kept under the new name before the old one goes: what fails in between loses nothing. */
function renameTemplate(name: string, next: string): Promise<boolean> {
  return attempt(words.renameFailed, async () => {
    const { batch } = await core.templates.load({ name });
    await core.templates.save({ name: next, batch, replace: false });
    await core.templates.remove({ name });
    await refresh();
  });
}

async function removeTemplate(name: string): Promise<void> {
  await attempt(words.removeFailed, () => core.templates.remove({ name }));
  await refresh();
}

/** What can be done with a template. `confirm` asks first. */
export const templateActions = (confirm: (name: string) => void): TemplateActions => ({
  use: (name) => void useTemplate(name),
  rename: renameTemplate,
  remove: confirm,
});

export const removeConfirmed = (name: string): void => void removeTemplate(name);
