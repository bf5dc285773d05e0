import { useUi } from './ui-store.ts';

/** Puts the look on the document as `data-theme`, `data-contrast`, `data-motion` and `data-text`: as set, or as the system says. */
export function startTheme(): void {
  const light = window.matchMedia('(prefers-color-scheme: light)');
  const more = window.matchMedia('(prefers-contrast: more)');
  const still = window.matchMedia('(prefers-reduced-motion: reduce)');
  const apply = (): void => {
    const { theme, contrast, motion, textSize } = useUi.getState();
    const high = contrast === 'system' ? more.matches : contrast === 'high';
    Object.assign(document.documentElement.dataset, {
      theme: theme === 'system' ? (light.matches ? 'light' : 'dark') : theme,
      contrast: high ? 'high' : 'normal',
      motion: motion === 'reduced' || still.matches ? 'reduced' : 'full',
      text: textSize,
    });
  };
  apply();
  for (const query of [light, more, still]) query.addEventListener('change', apply);
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
