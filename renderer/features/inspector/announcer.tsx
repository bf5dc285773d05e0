import { useEffect, useRef, useState } from 'react';

/** The least time between two announcements: a reader is told how things stand, not every step. */
const EVERY_MS = 5000;

/** Tells a screen reader of the latest text, politely and not more often than every five seconds. */
export function Announcer({ text }: { readonly text: string }) {
  const [said, setSaid] = useState('');
  const last = useRef(0);
  useEffect(() => {
    const wait = Math.max(0, last.current + EVERY_MS - Date.now());
    const timer = setTimeout(() => {
      last.current = Date.now();
      setSaid(text);
    }, wait);
    return () => {
      clearTimeout(timer);
    };
  }, [text]);
  return (
    <div className="sr-note" aria-live="polite">
      {said}
    </div>
  );
}
