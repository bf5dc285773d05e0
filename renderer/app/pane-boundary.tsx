import { Component, type ReactNode } from 'react';
import { strings } from '../shared/strings.ts';
import { Button } from '../ui/button.tsx';

/** The file of a part of the page did not come: the core is away, or another version of the app is there now. */
export class LoadError extends Error {
  constructor(cause: unknown) {
    super(cause instanceof Error ? cause.message : String(cause), { cause });
    this.name = 'LoadError';
  }
}

interface BoundaryProps {
  readonly children: ReactNode;
  /** For what lies over the page: puts it away. */
  readonly onClose?: () => void;
}

interface BoundaryState {
  readonly error: Error | null;
}

/** Keeps an error of one pane inside it: the others go on. */
export class PaneBoundary extends Component<BoundaryProps, BoundaryState> {
  override state: BoundaryState = { error: null };

  static getDerivedStateFromError(error: unknown): BoundaryState {
    return { error: error instanceof Error ? error : new Error(String(error)) };
  }

  override render(): ReactNode {
    const { error } = this.state;
    const { children, onClose } = this.props;
    if (error === null) return children;
    const missing = error instanceof LoadError;
    return (
      <div role="alert" className={`pane-failed ${onClose === undefined ? '' : 'pane-failed-over'}`}>
        <p className="text-13 font-semi">{missing ? strings.errors.notLoaded : strings.errors.pane}</p>
        <p className="text-ink-2 wrap-anywhere">
          {missing ? strings.errors.notLoadedHint : error.message} {strings.errors.paneSafe}
        </p>
        <div className="flex flex-wrap gap-2">
          {missing ? (
            <Button onClick={() => window.location.reload()}>{strings.errors.reload}</Button>
          ) : (
            <Button onClick={() => this.setState({ error: null })}>{strings.errors.again}</Button>
          )}
          <Button onClick={() => void navigator.clipboard.writeText(error.stack ?? error.message)}>
            {strings.errors.copy}
          </Button>
          {onClose !== undefined && (
            <Button
              onClick={() => {
                this.setState({ error: null });
                onClose();
              }}
            >
              {strings.dialog.close}
            </Button>
          )}
        </div>
      </div>
    );
  }
}
