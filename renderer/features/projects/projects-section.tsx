import { formatCount } from '../../shared/format.ts';
import type { ConversationRow, ProjectRow } from '../../../core/protocol/rows.ts';
import { attempt, core } from '../../app/client.ts';
import { useCommand } from '../../app/commands.ts';
import { ConversationItem } from '../../app/conversation-item.tsx';
import { useConversations, useProjects } from '../../app/live-rows.ts';
import { useStill } from '../../app/still.ts';
import { chooseProject, openOverlay, requestFocus, ui, useUi } from '../../app/ui-store.ts';
import { strings } from '../../shared/strings.ts';
import { visibleText } from '../../shared/visible-text.ts';
import { IconButton } from '../../ui/button.tsx';
import { Icon } from '../../ui/icon.tsx';
import { Menu, type MenuItem } from '../../ui/menu.tsx';
import { SideItem, SideSection } from '../../ui/side-item.tsx';

/** Lets the user attach a folder as a project. */
function attach(): void {
  chooseProject((path) => {
    void attempt(strings.sidebar.attach, async () => {
      const project = await core.projects.add({ path });
      ui.beginIn(project.project_id);
    });
  });
}

function detach(project: ProjectRow): void {
  openOverlay({
    type: 'confirm',
    title: strings.sidebar.detachTitle(visibleText(project.name)),
    text: strings.sidebar.detachText,
    action: strings.dialog.detach,
    onConfirm: () => {
      void attempt(strings.sidebar.detachFailed, () => core.projects.remove({ project_id: project.project_id }));
    },
  });
}

function trustItem(project: ProjectRow): readonly MenuItem[] {
  const { project_id, trusted, definitions } = project;
  if (definitions === null) return [];
  if (!trusted)
    return [
      {
        label: strings.sidebar.trust,
        onSelect: () => {
          openOverlay({ type: 'trust', project_id });
        },
      },
    ];
  const distrust = () => core.projects.trust({ project_id, trusted: false });
  return [{ label: strings.sidebar.distrust, onSelect: () => void attempt(strings.sidebar.distrust, distrust) }];
}

/** What is wrong with a project, in few words. */
function troubleOf({ present, trusted, definitions }: ProjectRow): string | null {
  if (!present) return strings.sidebar.missing;
  if (trusted || definitions === null) return null;
  return definitions.changed ? strings.sidebar.trustChanged : strings.sidebar.untrusted;
}

/** That what a project brings is not trusted, and the way to look at it. */
function TrustNote({ project, trouble }: { readonly project: ProjectRow; readonly trouble: string }) {
  const { project_id, name } = project;
  return (
    <button
      type="button"
      className="text-bad-text hover:underline"
      aria-label={strings.sidebar.trustOf(trouble, visibleText(name))}
      onClick={() => {
        openOverlay({ type: 'trust', project_id });
      }}
    >
      {trouble}
    </button>
  );
}

function menuOf(project: ProjectRow): readonly (readonly MenuItem[])[] {
  const { project_id, name } = project;
  return [
    [
      {
        label: strings.sidebar.newIn(name),
        icon: 'plus',
        onSelect: () => {
          ui.beginIn(project_id);
          requestFocus('composer');
        },
      },
      ...trustItem(project),
    ],
    [
      {
        label: strings.sidebar.detach,
        onSelect: () => {
          detach(project);
        },
      },
    ],
  ];
}

function ProjectItem({
  project,
  conversations,
}: {
  readonly project: ProjectRow;
  readonly conversations: readonly ConversationRow[];
}) {
  const open = useUi((state) => state.openProjects.includes(project.project_id));
  const trouble = troubleOf(project);
  return (
    <>
      <SideItem
        mark={<Icon name="folder" />}
        text={
          <>
            {visibleText(project.name)}
            {trouble !== null && !project.present && <span className="ml-2 text-11 text-bad-text">{trouble}</span>}
          </>
        }
        note={trouble !== null && project.present ? <TrustNote project={project} trouble={trouble} /> : undefined}
        title={project.path}
        end={conversations.length > 0 && formatCount(conversations.length)}
        expanded={open}
        onClick={() => {
          ui.toggleProject(project.project_id);
        }}
        actions={
          <Menu
            trigger={<IconButton icon="more" name={strings.sidebar.actions(visibleText(project.name))} />}
            groups={menuOf(project)}
          />
        }
      />
      {open && conversations.map((row) => <ConversationItem key={row.conversation_id} row={row} indent />)}
      {open && conversations.length === 0 && (
        <li className="py-1 pl-12 text-11 text-ink-3">{strings.sidebar.noConversations}</li>
      )}
    </>
  );
}

/** The command that attaches a folder: there also while the sidebar is not. */
export function AttachCommand() {
  useCommand({ id: 'attach', title: strings.sidebar.attach, chord: 'mod+o', run: attach });
  return null;
}

/** The attached folders with their conversations, and a way to attach another. `still`: as they were when something was pressed. */
export function ProjectsSection({ still }: { readonly still: boolean }) {
  const projects = useStill(useProjects(), still);
  const conversations = useStill(useConversations(), still).filter((row) => !row.archived);
  const ofProject = Map.groupBy(conversations, (row) => row.project_id);
  return (
    <SideSection
      title={strings.sidebar.projects}
      end={<IconButton icon="plus" name={strings.sidebar.attach} onClick={attach} />}
    >
      {projects.map((project) => (
        <ProjectItem
          key={project.project_id}
          project={project}
          conversations={ofProject.get(project.project_id) ?? []}
        />
      ))}
      {projects.length === 0 && <li className="px-3 py-1 text-ink-3">{strings.sidebar.noProjects}</li>}
    </SideSection>
  );
}
