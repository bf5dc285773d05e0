import type { Permission } from '../../../protocol/settings.ts';
import type { Tool, ToolPermission } from './tool.ts';

/** `ask`: only after somebody allowed it. `deny`: never in this mode. */
export type PermissionNeed = 'free' | 'ask' | 'deny';

const NEEDS: Readonly<Record<Permission, Readonly<Record<ToolPermission, PermissionNeed>>>> = {
  plan: { free: 'free', edit: 'deny', execute: 'deny' },
  ask: { free: 'free', edit: 'ask', execute: 'ask' },
  edit: { free: 'free', edit: 'free', execute: 'ask' },
  auto: { free: 'free', edit: 'free', execute: 'free' },
};

/** What a call of `tool` needs in a permission mode (A1). */
export function permissionFor(tool: Pick<Tool, 'permission'>, mode: Permission): PermissionNeed {
  return NEEDS[mode][tool.permission];
}
