import { useEffect, useState } from 'react';

/** Whether a pointer is pressed on something, from `begin` until just after the click that its release makes. */
export function usePress(): { readonly pressed: boolean; readonly begin: () => void } {
  const [pressed, setPressed] = useState(false);
  useEffect(() => {
    if (!pressed) return undefined;
    // The click comes right after the release, before any timer.
    const release = (): void => {
      setTimeout(() => {
        setPressed(false);
      });
    };
    const ends = ['pointerup', 'pointercancel', 'dragend', 'blur'] as const;
    for (const type of ends) window.addEventListener(type, release);
    return () => {
      for (const type of ends) window.removeEventListener(type, release);
    };
  }, [pressed]);
  return {
    pressed,
    begin: () => {
      setPressed(true);
    },
  };
}

/** A value as it was when `still` began: what is pressed does not go away from under the pointer. `value` keeps its identity while it is the same. */
export function useStill<T>(value: T, still: boolean): T {
  const [kept, keep] = useState(value);
  if (!still && kept !== value) keep(value);
  return still ? kept : value;
}
