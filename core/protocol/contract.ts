import { eventIterator, oc } from '@orpc/contract';
import { z } from 'zod';
import {
  AgentFieldChanges,
  AgentFile,
  AgentFileName,
  AgentHealth,
  AgentListed,
  AgentReview,
  AgentText,
} from './agents.ts';
import { BATCH_MAXIMA } from './batch.ts';
import { RunChanges } from './changes.ts';
import { Entry } from './entry.ts';
import { ApiError, BatchProblem } from './errors.ts';
import { DesktopMessage, WorkNow } from './desktop.ts';
import { FeedMessage, Scope } from './feed.ts';
import { GcReport } from './gc.ts';
import { Finding, HealthCheck } from './health.ts';
import { RunProcesses, SurvivorsReceipt } from './processes.ts';
import { ImageInput, MAX_IMAGES, SavedImage } from './images.ts';
import { ListenInput } from './listen.ts';
import { StopReceipt } from './report.ts';
import { ResultEntry, SetResult, Totals } from './result-entry.ts';
import { AppRow, AskRow, ConversationRow, ProjectRow, RunRow, SetRow, SteerMode, SteerRow } from './rows.ts';
import { TemplateName, TemplateRow, Timeline, UsageAnswer } from './history.ts';
import { NamedModel } from './named-model.ts';
import { KeptKeys, KeyVariable, PriceTable, ProviderListed, ProviderModels, ProviderTest } from './providers.ts';
import { BoundKeys, GrantName, GrantRow, KeyChange, SettingsWritten } from './preferences.ts';
import { SearchAnswer, SearchKind } from './search.ts';
import { SentPrompt } from './sent-prompt.ts';
import { Isolation, Permission, Settings } from './settings.ts';
import { TerminalOutput, TerminalRow } from './terminal.ts';
import { ApplyMode } from './worktree.ts';

/** Expected failures travel as one typed error; its `data` is what people read. */
const base = oc.errors({ FAILED: { data: ApiError } });

/** What a person writes to a run. Whatever it holds, it fits into one frame of the workers' socket when it is escaped. */
export const MAX_MESSAGE_CHARS = 1024 * 1024;
const MessageText = z.string().min(1).max(MAX_MESSAGE_CHARS);

/** Options that fill what neither the task nor the file's `defaults` says (cli.md). */
export const DispatchOptions = z.object({
  agent: z.string().optional(),
  model: z.string().optional(),
  isolation: Isolation.optional(),
  permission: Permission.optional(),
  max_concurrent: z.number().int().positive().max(BATCH_MAXIMA.concurrency).optional(),
  timeout_seconds: z.number().positive().optional(),
  max_cost_usd: z.number().positive().optional(),
});
export type DispatchOptions = z.infer<typeof DispatchOptions>;

/** The answer to a dispatch: stored, not done (S6). */
export const DispatchAnswer = z.object({
  conversation_id: z.string(),
  delegation_id: z.string(),
  set: z.number().int().positive(),
  count: z.number().int().positive(),
  run_ids: z.array(z.string()),
  note: z.string(),
});
export type DispatchAnswer = z.infer<typeof DispatchAnswer>;

/** A folder as the folder chooser of the core shows it. */
export const FolderListing = z.object({
  path: z.string(),
  parent: z.string().nullable(),
  home: z.string(),
  entries: z.array(z.object({ name: z.string(), path: z.string(), git: z.boolean() })),
  truncated: z.boolean(),
});
export type FolderListing = z.infer<typeof FolderListing>;

/** A parsed batch, as the batch editor shows it. `batch` is in the JSON form of S2 and may still have problems. */
export const ParsedBatch = z.object({
  form: z.enum(['json', 'yaml', 'markdown', 'csv', 'tsv', 'text']),
  title: z.string().nullable(),
  /** Ticked items that were left out. */
  skipped: z.number().int().nonnegative(),
  batch: z.unknown(),
  problems: z.array(BatchProblem),
});
export type ParsedBatch = z.infer<typeof ParsedBatch>;

/** The answer to a control that begins a run: stored, not done. */
export const NewRun = z.object({
  conversation_id: z.string(),
  /** Null for a lead. */
  delegation_id: z.string().nullable(),
  run_id: z.string(),
  note: z.string(),
});
export type NewRun = z.infer<typeof NewRun>;

/** What a pause or its end did, in words, and how to undo it (R9). */
export const PauseAnswer = z.object({ done: z.literal(true), note: z.string() });
export type PauseAnswer = z.infer<typeof PauseAnswer>;

const Id = z.object({ id: z.string() });
const RunId = z.object({ run_id: z.string() });
const TerminalId = z.object({ terminal_id: z.string() });
/** Columns or rows of a terminal. */
const Size = z.number().int().min(2).max(1_000);
const Done = z.object({ done: z.literal(true) });

/** The one API of the core. Every client speaks it: desktop over MessagePort, browser over WebSocket, CLI over a socket. */
export const contract = {
  app: {
    info: base.output(AppRow),
    /** Compares protocol versions (D2). */
    hello: base.input(z.object({ protocol: z.number().int(), client: z.string() })).output(
      z.object({
        protocol: z.number().int(),
        version: z.string(),
        boot: z.string(),
        home: z.string(),
        pid: z.number().int(),
      }),
    ),
    /** What is here, and what is wrong with it: the core, its PATH, agents, providers. Takes seconds. */
    doctor: base.output(z.object({ checks: z.array(HealthCheck) })),
    /** Asks the hosting core to open its HTTP listener, and answers its URL with the token in the fragment. */
    listen: base.input(ListenInput).output(z.object({ url: z.string() })),
  },
  live: {
    subscribe: base
      .input(z.object({ client: z.string(), can_answer: z.boolean(), scopes: z.array(Scope) }))
      .output(eventIterator(FeedMessage)),
    /** Changes what a subscription is told of; new scopes are answered with a snapshot each. */
    scopes: base.input(z.object({ subscription_id: z.string(), scopes: z.array(Scope) })).output(Done),
    /** Says up to which revision the client has applied the changes. */
    ack: base.input(z.object({ subscription_id: z.string(), rev: z.number().int() })).output(Done),
    /** What a desktop tells and shows of the work: notices as they are decided, and what tray, badge and task bar show. */
    desktop: base.output(eventIterator(DesktopMessage)),
    /** Says which conversation is on screen in a window with the focus; nothing is told of it. */
    looks: base.input(z.object({ watch_id: z.string(), conversation_id: z.string().nullable() })).output(Done),
    /** What there is to do when the app quits now. */
    work: base.output(WorkNow),
  },
  projects: {
    list: base.output(z.array(ProjectRow)),
    add: base.input(z.object({ path: z.string() })).output(ProjectRow),
    remove: base.input(z.object({ project_id: z.string() })).output(Done),
    /** Trusts what a project defines, or takes the trust back. `digest`: what the person has seen; other content is a `conflict`. */
    trust: base
      .input(z.object({ project_id: z.string(), trusted: z.boolean(), digest: z.string().optional() }))
      .output(ProjectRow),
  },
  folders: {
    list: base.input(z.object({ path: z.string().nullable(), name: z.string().nullable() })).output(FolderListing),
    /** Files and folders of a project whose path answers to `text`, the best first, for completion. Ignored files do not count. */
    find: base
      .input(z.object({ project_id: z.string(), text: z.string().max(500), limit: z.number().int().min(1).max(200) }))
      .output(z.object({ paths: z.array(z.string()), truncated: z.boolean() })),
  },
  batches: {
    /** Reads a dropped or pasted text in any form of S2 and validates it. */
    parse: base
      .input(z.object({ project_id: z.string().nullable(), text: z.string(), name: z.string().nullable() }))
      .output(ParsedBatch),
    validate: base
      .input(z.object({ project_id: z.string().nullable(), batch: z.unknown(), options: DispatchOptions.optional() }))
      .output(z.object({ problems: z.array(BatchProblem) })),
    dispatch: base
      .input(
        z.object({
          project_id: z.string(),
          /** Null begins a new conversation. */
          conversation_id: z.string().nullable(),
          batch: z.unknown(),
          options: DispatchOptions.optional(),
          client_token: z.string().min(1).max(200),
        }),
      )
      .output(DispatchAnswer),
  },
  leads: {
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
          client_token: z.string().min(1).max(200),
        }),
      )
      .output(z.object({ conversation_id: z.string(), run_id: z.string() })),
  },
  conversations: {
    list: base.input(z.object({ all: z.boolean() })).output(z.array(ConversationRow)),
    show: base
      .input(Id)
      .output(
        z.object({ conversation: ConversationRow, sets: z.array(SetRow), runs: z.array(RunRow), totals: Totals }),
      ),
    rename: base.input(z.object({ id: z.string(), title: z.string().min(1).max(200) })).output(ConversationRow),
    archive: base.input(z.object({ id: z.string(), archived: z.boolean() })).output(ConversationRow),
    remove: base.input(Id).output(Done),
    /** Marks the failures of a conversation, or of all, as seen. */
    seen: base.input(z.object({ id: z.string().nullable() })).output(Done),
  },
  sets: {
    show: base.input(Id).output(z.object({ set: SetRow, runs: z.array(RunRow), result: SetResult.nullable() })),
    /** Retries every task of a set that ended without completing, but not what a person stopped (C5). */
    retry: base
      .input(z.object({ delegation_id: z.string(), client_token: z.string().min(1).max(200) }))
      .output(z.object({ runs: z.array(NewRun) })),
    /** Adds tasks, in any form of S2, to a set that has not ended (S8). What the batch says of the set as a whole does not count. */
    add: base
      .input(
        z.object({
          delegation_id: z.string(),
          batch: z.unknown(),
          options: DispatchOptions.optional(),
          client_token: z.string().min(1).max(200),
        }),
      )
      .output(DispatchAnswer),
  },
  runs: {
    show: base.input(Id).output(z.object({ run: RunRow, result: ResultEntry.nullable(), steers: z.array(SteerRow) })),
    steer: base
      .input(
        z.object({
          run_id: z.string(),
          text: MessageText,
          mode: SteerMode,
          client_token: z.string().min(1).max(200),
        }),
      )
      .output(SteerRow),
    /** Stops a run, set or conversation and everything below it; answers when it is proved (C3). */
    stop: base.input(Id).output(StopReceipt),
    /** Closes the gate of a run, set or conversation, or with null of the app (R9). */
    pause: base.input(z.object({ id: z.string().nullable() })).output(PauseAnswer),
    resume: base.input(z.object({ id: z.string().nullable() })).output(PauseAnswer),
    /** What each attempt sent first, as it was sent. */
    prompt: base.input(RunId).output(z.object({ prompts: z.array(SentPrompt) })),
    /** Its processes, measured now, its attempts, and what survived it. */
    processes: base.input(RunId).output(RunProcesses),
    /** Ends what survived a run, but only processes that are still the same ones. */
    end_survivors: base.input(RunId).output(SurvivorsReceipt),
    /** A new run in the slot of one that has ended; what is not named stays as it was (C5). */
    retry: base
      .input(
        z.object({
          run_id: z.string(),
          goal: MessageText.optional(),
          agent: z.string().optional(),
          model: z.string().optional(),
          client_token: z.string().min(1).max(200),
        }),
      )
      .output(NewRun),
    /** Goes on with the session of a run that has ended, with a message (C5). */
    continue: base
      .input(z.object({ run_id: z.string(), text: MessageText, client_token: z.string().min(1).max(200) }))
      .output(NewRun),
  },
  /** What a run changed, and what becomes of its worktree (W4). All but `show` are refused while the run lives. */
  changes: {
    show: base.input(RunId).output(RunChanges),
    /** Puts a file that the run's own calls wrote back to what it was before; refused if it has changed since. */
    undo: base.input(RunId.extend({ path: z.string().min(1) })).output(Done),
    /** Brings the work into what the project has checked out; with a conflict nothing is done. Answers the project's commit before and after. */
    apply: base.input(RunId.extend({ mode: ApplyMode })).output(z.object({ from: z.string(), to: z.string() })),
    /** Removes the folder and keeps the branch, with what was not committed as its last commit. */
    keep: base.input(RunId).output(z.object({ branch: z.string(), commit: z.string() })),
    /** Removes folder and branch; a ref keeps the work 30 days. `accept_loss`: also when something in it cannot be kept so (`would_lose`). */
    discard: base
      .input(RunId.extend({ accept_loss: z.boolean() }))
      .output(z.object({ ref: z.string(), commit: z.string() })),
  },
  transcript: {
    /** Entries from number `from` on, at most `limit` of them. */
    page: base
      .input(
        z.object({
          run_id: z.string(),
          from: z.number().int().nonnegative(),
          limit: z.number().int().min(1).max(1000),
        }),
      )
      .output(z.object({ entries: z.array(Entry), entry_count: z.number().int() })),
  },
  /** What has been, and doing it again. */
  history: {
    /** The lives of a conversation's runs as spans, for the timeline and its replay. */
    timeline: base.input(z.object({ conversation_id: z.string() })).output(Timeline),
    /** The tasks of a set as a batch again: all, or those whose latest run did not complete cleanly. Starts nothing. */
    batch: base
      .input(z.object({ delegation_id: z.string(), only: z.enum(['all', 'failed']) }))
      .output(z.object({ batch: z.unknown() })),
    /** A batch that reviews a run or set that has ended. Starts nothing. */
    review: base
      .input(Id)
      .output(z.object({ project_id: z.string(), conversation_id: z.string(), batch: z.unknown() })),
  },
  images: {
    /** Keeps a pasted or dropped image as a private file; refused unless its bytes are those of one. */
    save: base.input(ImageInput).output(SavedImage),
  },
  /** Batches kept under a name. */
  templates: {
    list: base.output(z.array(TemplateRow)),
    load: base.input(z.object({ name: TemplateName })).output(z.object({ batch: z.unknown() })),
    save: base.input(z.object({ name: TemplateName, batch: z.unknown(), replace: z.boolean() })).output(TemplateRow),
    remove: base.input(z.object({ name: TemplateName })).output(Done),
  },
  usage: {
    /** Use by project and local calendar day, both ends included. */
    days: base
      .input(z.object({ from: z.iso.date(), to: z.iso.date(), project_id: z.string().nullable() }))
      .output(UsageAnswer),
  },
  /** Shells for the person, in a project's folder or a run's worktree. */
  terminals: {
    list: base.output(z.array(TerminalRow)),
    open: base
      .input(z.object({ project_id: z.string(), run_id: z.string().nullable(), cols: Size, rows: Size }))
      .output(TerminalRow),
    /** Output from a place on; waits for some. A client reads again when it has shown what it got, and so is never flooded. */
    read: base.input(TerminalId.extend({ from: z.number().int().nonnegative() })).output(TerminalOutput),
    write: base.input(TerminalId.extend({ data: z.string().max(65_536) })).output(Done),
    resize: base.input(TerminalId.extend({ cols: Size, rows: Size })).output(Done),
    /** Ends the shell with everything it started. */
    close: base.input(TerminalId).output(Done),
  },
  open: {
    /** Opens a file of a project, or of a run's worktree, in the person's editor, on the machine where the core is. */
    editor: base
      .input(
        z.object({
          project_id: z.string(),
          run_id: z.string().nullable(),
          /** From the folder; `.` is the folder itself. */
          path: z.string().min(1).max(4096),
          line: z.number().int().positive().nullable(),
        }),
      )
      .output(z.object({ editor: z.string(), path: z.string() })),
  },
  export: {
    /** A conversation, set or run as one text, cleaned of known secrets (D7). */
    render: base
      .input(Id.extend({ format: z.enum(['md', 'json', 'html']) }))
      .output(z.object({ name: z.string(), type: z.string(), text: z.string() })),
  },
  /** Full-text search over titles, goals, results and transcripts. */
  search: {
    find: base
      .input(
        z.object({
          text: z.string().max(1000),
          /** Null searches all projects. */
          project_id: z.string().nullable(),
          kinds: z.array(SearchKind).min(1).optional(),
          limit: z.number().int().min(1).max(200),
        }),
      )
      .output(SearchAnswer),
  },
  asks: {
    list: base.output(z.array(AskRow)),
    answer: base
      .input(
        z.object({
          ask_id: z.string(),
          /** A scope of consent, a refusal, or the text that answers a question. */
          choice: z.enum(['once', 'run', 'set', 'project', 'deny', 'text']),
          note: z.string().max(MAX_MESSAGE_CHARS).nullable(),
          client: z.string(),
        }),
      )
      .output(AskRow),
  },
  /** Skills that runs are offered (K1): the user's own, and with a project those of it, while it is trusted. */
  skills: {
    list: base.input(z.object({ project_id: z.string().nullable() })).output(
      z.object({
        skills: z.array(z.object({ name: z.string(), description: z.string(), path: z.string() })),
        /** What was left out, and why, in words. */
        warnings: z.array(z.string()),
      }),
    ),
  },
  /** Consent that was given beyond one call, and still holds (A2). */
  grants: {
    list: base.output(z.array(GrantRow)),
    /** Takes it back: the next such call is asked for again. */
    remove: base.input(GrantName).output(Done),
  },
  /** The keys that the user bound, in `keys.json` of the data folder. */
  keys: {
    get: base.output(BoundKeys),
    set: base.input(KeyChange).output(BoundKeys),
  },
  /** Leads at work outside: clients that delegate over MCP from a terminal of their own. */
  outside: {
    /** The text of the delegate tool with the limits in force (K6). */
    describe: base.output(z.object({ description: z.string() })),
    /** Begins the conversation of a connection. The same token again is the same conversation (S7). */
    open: base
      .input(
        z.object({
          project_id: z.string(),
          /** Name of the client program. */
          client: z.string().min(1).max(200),
          client_token: z.string().min(1).max(200),
        }),
      )
      .output(z.object({ conversation_id: z.string(), run_id: z.string() })),
    /** Answers when the run has ended. A client that no longer waits for that, and does not come back, has gone. */
    attend: base.input(RunId).output(z.object({ words: z.string() })),
    /** Carries out a call of the delegate tool; answers when it is answered. The same id again is the same call (P7). */
    call: base
      .input(RunId.extend({ call_id: z.string().min(1).max(200), arguments: z.unknown() }))
      .output(z.object({ is_error: z.boolean(), text: z.string() })),
    /** Asks the people at Espalier; null when nobody answers. */
    ask: base
      .input(RunId.extend({ key: z.string().min(1).max(200), title: z.string().min(1), detail: z.string() }))
      .output(z.object({ answer: z.string().nullable() })),
    /** The client goes. */
    leave: base.input(RunId).output(Done),
  },
  agents: {
    /** Agents that can be named: without a project, or in one; of one name the first counts (`conflicts` are the others). */
    list: base.input(z.object({ project_id: z.string().nullable() }).optional()).output(z.array(AgentListed)),
    /** The files that define agents, or are meant to: the user's own, and with a project those of it. */
    files: base.input(z.object({ project_id: z.string().nullable() })).output(z.array(AgentFile)),
    read: base.input(AgentFileName).output(AgentText),
    /**
     * Writes a definition file; a text that is none is refused. `digest`: of the text that was edited, null for a new file; another content by now is a
     * `conflict`. What a project defines stays trusted, if it was, as nothing but this file is another one.
     */
    save: base
      .input(AgentFileName.extend({ text: z.string().max(256 * 1024), digest: z.string().nullable() }))
      .output(AgentFile),
    remove: base.input(AgentFileName.extend({ digest: z.string() })).output(Done),
    /** What a text would define, where it would lie, and what is wrong with it, field by field. Writes nothing. */
    review: base.input(AgentFileName.extend({ text: z.string().max(256 * 1024) })).output(AgentReview),
    /** The text with some fields of its front matter, or its instructions, as others; comments and all else stay. Writes nothing. */
    edit: base
      .input(
        z.object({
          text: z.string().max(256 * 1024),
          set: AgentFieldChanges,
          /** Fields to take out, as they are written. */
          drop: z.array(z.string()).optional(),
          body: z.string().optional(),
        }),
      )
      .output(z.object({ text: z.string() })),
    /** Looks at every known outside agent, or at one: program, version, protocol, login. Starts those that are there; takes seconds. */
    check: base
      .input(z.object({ id: z.string(), project_id: z.string().nullable() }).optional())
      .output(z.array(AgentHealth)),
  },
  /** Models that can be named, in a project if one is given: the Demo's has one of its own. */
  models: { list: base.input(z.object({ project_id: z.string().nullable() }).optional()).output(z.array(NamedModel)) },
  /** Where models come from. Keys go in and never come out (K4). */
  providers: {
    /** Those of the settings, and the vendors that are known without. */
    list: base.output(z.array(ProviderListed)),
    /** Asks the provider itself; within 10 s it is done, and costs nothing. */
    test: base.input(Id).output(ProviderTest),
    /** Its models: those of the settings, those that its endpoint lists, and those of the price table. */
    models: base.input(Id).output(ProviderModels),
    prices: base.output(PriceTable),
    /** The key file of the data folder: which variables it holds a key for. */
    kept_keys: base.output(KeptKeys),
    /** Keeps a key in the key file, by explicit choice; it counts at once. Only for a variable that a provider names. */
    keep_key: base.input(z.object({ name: KeyVariable, key: z.string().trim().min(1).max(8192) })).output(KeptKeys),
    forget_key: base.input(z.object({ name: KeyVariable })).output(KeptKeys),
  },
  onboarding: {
    detect: base.output(z.array(Finding)),
    /** Takes a finding into the settings as provider and default model. */
    use: base.input(z.object({ finding_id: z.string(), model: z.string().nullable() })).output(Done),
    /** Makes a scratch project and runs the demo batch on the scripted model that ships with the app. */
    demo: base.output(DispatchAnswer.extend({ project_id: z.string() })),
  },
  storage: {
    /** Deletes what was made by us and provably need not be kept; with `dry_run` only says what that would be. */
    gc: base.input(z.object({ dry_run: z.boolean() })).output(GcReport),
  },
  settings: {
    get: base.output(Settings),
    /** Where the file is and which keys it sets, without values: what it does not name has its default. */
    written: base.output(SettingsWritten),
    set: base.input(z.object({ key: z.string(), value: z.unknown() })).output(Settings),
  },
} as const;
