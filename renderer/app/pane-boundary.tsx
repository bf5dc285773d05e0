import { Component, type ReactNode } from 'react';
import { strings } from '../shared/strings.ts';
import { Button } from '../ui/button.tsx';

interface BoundaryState {
  readonly error: Error | null;
}

/** Keeps an error of one pane inside it: the others go on. */
export class PaneBoundary extends Component<{ readonly children: ReactNode }, BoundaryState> {
  override state: BoundaryState = { error: null };

  static getDerivedStateFromError(error: unknown): BoundaryState {
    return { error: error instanceof Error ? error : new Error(String(error)) };
  }

  override render(): ReactNode {
    const { error } = this.state;
    if (error === null) return this.props.children;
    return (
      <div role="alert" className="m-4 flex flex-col items-start gap-2">
        <p className="text-13 font-semi">{strings.errors.pane}</p>
        <p className="text-ink-2">
          {error.message} {strings.errors.paneSafe}
        </p>
        <div className="flex gap-2">
          <Button
            onClick={() => {
              this.setState({ error: null });
            }}
          >
            {strings.errors.again}
          </Button>
          <Button
            onClick={() => {
              void navigator.clipboard.writeText(error.stack ?? error.message);
            }}
          >
            {strings.errors.copy}
          </Button>
        </div>
      </div>
    );
  }
}
