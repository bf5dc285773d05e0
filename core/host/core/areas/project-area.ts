import { ok } from '../../../kit/result.ts';
import type { ProjectRow } from '../../../protocol/rows.ts';
import type { RoutedChange } from '../../engine/flush.ts';
import type { CoreService } from '../../service.ts';
import type { Core } from '../core.ts';
import { ProjectFiles } from '../find-files.ts';
import { listFolder } from '../folders.ts';
import { saveImage } from '../images.ts';
import { unknownProject } from '../projects.ts';

const DONE = ok({ done: true as const });

const changeOf = (row: ProjectRow): RoutedChange => ({
  conversation_id: '',
  run_id: null,
  change: { type: 'project', row },
});

/** Attached folders, the folder chooser of the core, and the images that go along with work in a project. */
export function projectArea(core: Core): Pick<CoreService, 'projects' | 'folders' | 'images'> {
  const files = new ProjectFiles(core.options.environment, () => core.options.clock.now());
  return {
    projects: {
      list: async () => {
        core.publish((await core.projects.look()).map(changeOf));
        return ok(core.projects.list());
      },
      add: async ({ path }) => {
        const added = await core.projects.add(path, core.options.clock.now());
        if (added.ok) core.publish([changeOf(added.value)]);
        return added;
      },
      remove: async ({ project_id }) => {
        const removed = await core.projects.remove(project_id);
        if (!removed.ok) return removed;
        core.publish([
          { conversation_id: '', run_id: null, change: { type: 'removed', what: 'project', id: project_id } },
        ]);
        return DONE;
      },
      trust: async ({ project_id, trusted, digest }) => {
        const saved = await core.projects.trust(project_id, trusted, digest);
        await core.agents.refresh(project_id);
        if (saved.ok) core.publish([changeOf(saved.value)]);
        return saved;
      },
      definition: async ({ project_id, digest, path }) => core.projects.definition(project_id, digest, path),
    },
    folders: {
      list: async ({ path, name }) => listFolder(path, name),
      find: async ({ project_id, text, limit }) => {
        const project = core.projects.get(project_id);
        if (project === undefined) return unknownProject(project_id);
        const { paths, truncated } = await files.find(project.path, text, limit);
        return ok({ paths: [...paths], truncated });
      },
    },
    images: {
      save: async (image) => {
        if (core.projects.get(image.project_id) === undefined) return unknownProject(image.project_id);
        return saveImage(core.options.home, image);
      },
    },
  };
}
