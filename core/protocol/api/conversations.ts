import { z } from 'zod';
import { ImageInput, MAX_IMAGES, SavedImage } from '../images.ts';
import { Totals } from '../result-entry.ts';
import { ConversationRow, RunRow, SetRow } from '../rows.ts';
import { ClientToken, Done, Id, MessageText, base } from './base.ts';
import { DispatchOptions, MeantFolder, NoAgent } from './dispatch.ts';

export const conversations = {
  list: base.input(z.object({ all: z.boolean() })).output(z.array(ConversationRow)),
  show: base
    .input(Id)
    .output(z.object({ conversation: ConversationRow, sets: z.array(SetRow), runs: z.array(RunRow), totals: Totals })),
  rename: base.input(z.object({ id: z.string(), title: z.string().min(1).max(200) })).output(ConversationRow),
  archive: base.input(z.object({ id: z.string(), archived: z.boolean() })).output(ConversationRow),
  remove: base.input(Id).output(Done),
  /** Marks the failures of a conversation, or of all, as seen. */
  seen: base.input(z.object({ id: z.string().nullable() })).output(Done),
};

export const leads = {
  /** Looks at a prompt as `send` would, without beginning or attaching anything. */
  validate: base
    .input(
      z.object({
        ...{ project_id: z.string().nullable(), folder: MeantFolder },
        ...{ text: MessageText, options: DispatchOptions.optional() },
      }),
    )
    .output(z.object({ problem: z.string().nullable(), no_agent: NoAgent })),
  /** Begins a lead in a new conversation, or sends the next message to it. */
  send: base
    .input(
      z.object({
        project_id: z.string(),
        conversation_id: z.string().nullable(),
        text: MessageText,
        /** Paths of images that go along. */
        images: z.array(z.string().max(4096)).max(MAX_IMAGES).optional(),
        options: DispatchOptions.optional(),
        /** `espalier prompt`: the lead ends after its answer when no delegation is open (T1). */
        once: z.boolean().optional(),
        client_token: ClientToken,
      }),
    )
    .output(z.object({ conversation_id: z.string(), run_id: z.string() })),
};

export const images = {
  /** Keeps a pasted or dropped image as a private file; refused unless its bytes are those of one. */
  save: base.input(ImageInput).output(SavedImage),
};
