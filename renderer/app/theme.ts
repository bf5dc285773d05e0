import { useUi } from './ui-store.ts';

/** Sets `data-theme` on the document from the setting, or from the system while the setting says so. */
export function startTheme(): void {
  const system = window.matchMedia('(prefers-color-scheme: light)');
  const apply = (): void => {
    const { theme } = useUi.getState();
    document.documentElement.dataset['theme'] = theme === 'system' ? (system.matches ? 'light' : 'dark') : theme;
  };
  apply();
  system.addEventListener('change', apply);
  useUi.subscribe(apply);
  alignArcs();
}

/** Starts every running arc at the zero of the page's clock, so that all of them turn in phase. */
function alignArcs(): void {
  document.addEventListener('animationstart', (event) => {
    if (event.animationName !== 'arc-turn' || !(event.target instanceof Element)) return;
    for (const animation of event.target.getAnimations()) animation.startTime = 0;
  });
}
