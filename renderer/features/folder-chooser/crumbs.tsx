import { startStrings } from '../../shared/start-strings.ts';
import { pathSteps } from './path-steps.ts';

const words = startStrings.folder;

/** The folders above the one shown, each of which can be gone to. */
export function Crumbs({
  path,
  home,
  onGo,
}: {
  readonly path: string;
  readonly home: string;
  readonly onGo: (path: string) => void;
}) {
  const steps = pathSteps(path);
  return (
    <nav aria-label={words.places} className="folder-crumbs">
      <ol>
        {steps.map((step, place) => (
          <li key={step.path}>
            <button
              type="button"
              className="crumb"
              aria-current={place === steps.length - 1 ? 'location' : undefined}
              title={step.path}
              onClick={() => onGo(step.path)}
            >
              {step.name}
            </button>
            {place < steps.length - 1 && (
              <span className="text-ink-3" aria-hidden>
                ›
              </span>
            )}
          </li>
        ))}
      </ol>
      {path !== home && (
        <button type="button" className="link flex-none text-11" onClick={() => onGo(home)}>
          {words.home}
        </button>
      )}
    </nav>
  );
}
