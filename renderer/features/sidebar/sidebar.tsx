/** Projects and conversations, and what needs you. */
export function Sidebar() {
  return null;
}
