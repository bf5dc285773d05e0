import { err, ok, type Result } from '../../../kit/result.ts';
import type { ApiError } from '../../../protocol/errors.ts';
import { readExported, isExportable, type ExportSource } from '../../export/exported.ts';
import { renderExport, type ExportFormat } from '../../export/render-export.ts';
import { exportRedactor } from '../../secrets/export-redactor.ts';
import type { Caller, CoreService } from '../../service.ts';
import type { Core } from '../core.ts';

/** Characters of an export that a client is sent at once; the command line writes more. */
const MAX_CHARS = 16 * 1024 * 1024;

const TYPES: Readonly<Record<ExportFormat, string>> = {
  md: 'text/markdown',
  json: 'application/json',
  html: 'text/html',
};

type Stored = Pick<CoreService, 'conversations' | 'sets' | 'transcript'> & Pick<CoreService, 'runs'>;

/** What is kept, as one text to take away (D7). */
export function exportArea(core: Core, stored: Stored): Pick<CoreService, 'export'> {
  const { environment, version } = core.options;
  return {
    export: {
      render: async ({ id, format }) => {
        if (!isExportable(id)) return err({ code: 'invalid_input', message: `${id} is no id that can be exported.` });
        const exported = await readExported(sourceOf(stored), id).catch(refusalOf);
        if (exported instanceof Refused) return err(exported.error);
        const redact = exportRedactor(core.settings.value, environment);
        const text = renderExport(exported, { format, redact, version });
        if (text.length > MAX_CHARS) {
          const message = `This is too much to be sent here. On the machine of the core: espalier export ${id} --format ${format}`;
          return err({ code: 'limit_reached', message });
        }
        return ok({ name: `${id}.${format}`, type: TYPES[format], text });
      },
    },
  };
}

/** A part that could not be read. */
class Refused extends Error {
  readonly error: ApiError;

  constructor(error: ApiError) {
    super(error.message);
    this.error = error;
  }
}

function refusalOf(thrown: unknown): Refused {
  if (thrown instanceof Refused) return thrown;
  throw thrown;
}

const CALLER: Caller = { client: 'export' };

function sourceOf({ conversations, sets, runs, transcript }: Stored): ExportSource {
  return {
    conversations: { show: read(conversations.show) },
    sets: { show: read(sets.show) },
    runs: { show: read(runs.show) },
    transcript: { page: read(transcript.page) },
  };
}

function read<I, O>(method: (input: I, caller: Caller) => Promise<Result<O, ApiError>>): (input: I) => Promise<O> {
  return async (input) => {
    const result = await method(input, CALLER);
    if (result.ok) return result.value;
    throw new Refused(result.error);
  };
}
