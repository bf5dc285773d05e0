import { expect, test } from 'vitest';
import { projectOptions } from './project-options.ts';

const ORCHARD = { project_id: 'proj_a', name: 'orchard' };
const GARDEN = { project_id: 'proj_b', name: 'gar\u202Eden' };

test('the path above a batch has no hole: what is chosen has a name, and without a choice it says so', () => {
  expect(projectOptions([ORCHARD, GARDEN], 'proj_b')).toEqual({
    value: 'proj_b',
    options: [
      { value: 'proj_a', label: 'orchard' },
      { value: 'proj_b', label: 'gar⟨U+202E⟩den' },
    ],
  });
  const choose = { value: '', label: 'Choose a project' };
  expect(projectOptions([], null)).toEqual({ value: '', options: [choose] });
  // Detached while the draft was open.
  expect(projectOptions([ORCHARD], 'proj_b').options[0]).toEqual(choose);
});
