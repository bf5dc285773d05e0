import { Icon } from '../../ui/icon.tsx';

/** That something can be used as it is. */
export function Ready({ text }: { readonly text: string }) {
  return (
    <span className="flex items-center gap-2 text-ink-2">
      <span className="text-ok">
        <Icon name="check" />
      </span>
      {text}
    </span>
  );
}
