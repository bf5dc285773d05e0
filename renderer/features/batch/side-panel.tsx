import type { ReactNode } from 'react';
import type { Permission } from '../../../core/protocol/settings.ts';
import { agentLabel } from '../../shared/agent-label.ts';
import { startStrings } from '../../shared/start-strings.ts';
import { NumberField } from '../../ui/number-field.tsx';
import { Select, type SelectOption } from '../../ui/select.tsx';
import { edit, useBatch } from './batch-store.ts';
import { CheckedPanel } from './checked-panel.tsx';
import type { TaskFields } from './draft.ts';
import { modelNames } from './model-names.ts';
import { OrderOfWork } from './order-of-work.tsx';
import { numberIn, objectOf, textOf, withField, withKey } from './task-fields.ts';
import { useIsolations } from './use-world.ts';
import type { World } from './world.ts';

const words = startStrings.batch;
const MODES = ['plan', 'ask', 'edit', 'auto'] as const satisfies readonly Permission[];

const editHead = (change: (head: TaskFields) => TaskFields): void => {
  edit((draft) => ({ ...draft, head: change(draft.head) }));
};
const setDefault = (field: string, value: unknown): void => {
  editHead((head) => withKey(head, 'defaults', field, value === '' ? undefined : value));
};

function Pair({ label, children }: { readonly label: string; readonly children: ReactNode }) {
  return (
    <div className="batch-pair">
      <span aria-hidden>{label}</span>
      {children}
    </div>
  );
}

function Choice({
  label,
  value,
  options,
  onChange,
}: {
  readonly label: string;
  readonly value: string;
  readonly options: readonly SelectOption[];
  readonly onChange: (value: string) => void;
}) {
  return (
    <Pair label={label}>
      <Select
        bare
        name={`${label}, ${words.forAll.toLowerCase()}`}
        value={value}
        options={options}
        onChange={onChange}
      />
    </Pair>
  );
}

/** The first command that the batch wants run on every result. */
function acceptanceOf(defaults: TaskFields): string {
  const { verify } = objectOf(defaults, 'acceptance');
  const first: unknown = Array.isArray(verify) ? verify[0] : undefined;
  return typeof first === 'object' && first !== null && 'command' in first ? String(first.command) : '';
}

function Agents({ world, defaults }: { readonly world: World; readonly defaults: TaskFields }) {
  const names = modelNames(world.models.map(({ ref }) => ref));
  const ofSettings =
    world.defaultModel === null ? words.noModelChosen : (names.get(world.defaultModel) ?? world.defaultModel);
  return (
    <>
      <Choice
        label={words.defaultAgent}
        value={textOf(defaults, 'agent')}
        options={[
          { value: '', label: world.defaultAgent },
          ...world.agents
            .filter(({ id }) => id !== world.defaultAgent)
            .map((agent) => ({ value: agent.id, label: agentLabel(agent) })),
        ]}
        onChange={(agent) => setDefault('agent', agent)}
      />
      <Choice
        label={words.defaultModel}
        value={textOf(defaults, 'model')}
        options={[
          { value: '', label: ofSettings },
          ...world.models
            .filter(({ ref, has_key }) => has_key && ref !== world.defaultModel)
            .map(({ ref }) => ({ value: ref, label: names.get(ref) ?? ref })),
        ]}
        onChange={(model) => setDefault('model', model)}
      />
    </>
  );
}

function AcceptanceField({ head }: { readonly head: TaskFields }) {
  return (
    <Pair label={words.acceptance}>
      <input
        className="field w-[150px]! font-mono text-11"
        aria-label={words.acceptanceName}
        placeholder={words.acceptanceHint}
        spellCheck={false}
        value={acceptanceOf(objectOf(head, 'defaults'))}
        onChange={(event) => {
          const command = event.target.value;
          setDefault('acceptance', command === '' ? undefined : { verify: [{ command }] });
        }}
      />
    </Pair>
  );
}

function ForAll({ world }: { readonly world: World }) {
  const head = useBatch((state) => state.draft.head);
  const into = useBatch((state) => state.into);
  const isolations = useIsolations(useBatch((state) => state.project));
  const defaults = objectOf(head, 'defaults');
  return (
    <>
      <Choice
        label={words.permission}
        value={textOf(defaults, 'permission')}
        options={[
          { value: '', label: words.permissions[world.permission] },
          ...MODES.filter((mode) => mode !== world.permission).map((mode) => ({
            value: mode,
            label: words.permissions[mode],
          })),
        ]}
        onChange={(mode) => setDefault('permission', mode)}
      />
      <Agents world={world} defaults={defaults} />
      {isolations.length > 1 && (
        <Choice
          label={words.columns.isolation}
          value={textOf(defaults, 'isolation')}
          options={[
            { value: '', label: words.byAgent },
            ...isolations.map((one) => ({ value: one, label: words.isolations[one] ?? one })),
          ]}
          onChange={(isolation) => setDefault('isolation', isolation)}
        />
      )}
      {into === null && <OfSet world={world} head={head} />}
      <AcceptanceField head={head} />
    </>
  );
}

/** What holds for the set as a whole: tasks that are added to one find it settled (S8). */
function OfSet({ world, head }: { readonly world: World; readonly head: TaskFields }) {
  const money = numberIn(objectOf(head, 'tree_limits'), 'max_cost_usd');
  return (
    <>
      <Pair label={words.atOnceLabel}>
        <NumberField
          name={words.atOnceLabel}
          value={numberIn(head, 'max_concurrent')}
          placeholder={String(world.perSet)}
          onChange={(count) => editHead((before) => withField(before, 'max_concurrent', count ?? undefined))}
        />
      </Pair>
      <Choice
        label={words.onFailure}
        value={head['fail_fast'] === true ? 'stop' : 'go'}
        options={[
          { value: 'go', label: words.goOn },
          { value: 'stop', label: words.stopRest },
        ]}
        onChange={(choice) =>
          editHead((before) => withField(before, 'fail_fast', choice === 'stop' ? true : undefined))
        }
      />
      <Pair label={words.budget}>
        <NumberField
          name={words.budget}
          value={money}
          placeholder={words.unlimited}
          onChange={(usd) => editHead((before) => withKey(before, 'tree_limits', 'max_cost_usd', usd ?? undefined))}
        />
      </Pair>
    </>
  );
}

/** What holds for all tasks, what was looked at, and the order of work. */
export function SidePanel({ world }: { readonly world: World }) {
  return (
    <div className="batch-side" role="region" aria-label={words.forAll} tabIndex={0}>
      <div className="batch-panel batch-side-head">
        <h2 className="m-0!">{words.forAll}</h2>
      </div>
      <div className="batch-panel batch-for-all">
        <ForAll world={world} />
      </div>
      <CheckedPanel world={world} />
      <OrderOfWork />
    </div>
  );
}
