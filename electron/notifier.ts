import { Notification } from 'electron';

/** Notifications that are shown now: one that nobody holds would lose its click. */
const shown = new Set<Notification>();

/** Shows a notification of the system, if it has any; a click calls `onClick`. */
export function showNotification(title: string, body: string, onClick: () => void): void {
  if (!Notification.isSupported()) return;
  const notification = new Notification({ title, body, silent: true });
  shown.add(notification);
  const forget = (): void => void shown.delete(notification);
  notification.on('click', () => {
    forget();
    onClick();
  });
  notification.on('close', forget);
  notification.on('failed', forget);
  notification.show();
}
