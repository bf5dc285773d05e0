import type { CoreService } from '../../service.ts';
import { openEditor } from '../../open/open-editor.ts';
import type { Core } from '../core.ts';

/** Files in the person's own programs. */
export function openArea(core: Core): Pick<CoreService, 'open'> {
  return { open: { editor: (input) => openEditor(core, input) } };
}
