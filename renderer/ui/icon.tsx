import type { ReactNode } from 'react';

/** The line icons of the frame: 16-px box, 1.5-px stroke, drawn for this size. Others come from lucide at 16 px. */
const PATHS = {
  sidebar: (
    <>
      <rect x="2" y="3" width="12" height="10" rx="1.5" />
      <path d="M6 3v10" />
    </>
  ),
  inspector: (
    <>
      <rect x="2" y="3" width="12" height="10" rx="1.5" />
      <path d="M10 3v10" />
    </>
  ),
  search: (
    <>
      <circle cx="7" cy="7" r="4" />
      <path d="m10 10 3.5 3.5" />
    </>
  ),
  inbox: <path d="M2.5 9.5 4.2 4h7.6l1.7 5.5V13h-11zM2.5 9.5H6l.8 1.5h2.4l.8-1.5h3.5" />,
  folder: <path d="M2 12.5v-8h4l1.5 1.5H14v6.5z" />,
  plus: <path d="M8 3.5v9M3.5 8h9" />,
  pause: <path d="M6 4v8M10 4v8" />,
  resume: <path d="M5.5 3.8v8.4L12 8z" />,
  stop: <rect x="4.5" y="4.5" width="7" height="7" rx="1" />,
  retry: <path d="M12.5 8A4.5 4.5 0 1 1 11 4.6M11.5 2v3h-3" />,
  steer: <path d="M3 12.5 8 3l5 9.5-5-2.3z" />,
  more: <path d="M4 8h.01M8 8h.01M12 8h.01" strokeWidth="2" />,
  right: <path d="m6.5 5 3 3-3 3" />,
  down: <path d="m5 6.5 3 3 3-3" />,
  terminal: <path d="m3 5 3 3-3 3M8 11.5h5" />,
  edit: <path d="m3 13 .6-2.8L10.8 3 13 5.2l-7.2 7.2z" />,
  delegate: (
    <>
      <path d="M3 3v6.5h9M3 5h5" />
      <circle cx="13" cy="9.5" r="1" />
      <circle cx="9" cy="5" r="1" />
    </>
  ),
  queue: <path d="M3 8h8M8 5l3 3-3 3M13.5 4v8" />,
  compare: (
    <>
      <rect x="2.5" y="3.5" width="4" height="9" rx="1" />
      <rect x="9.5" y="3.5" width="4" height="9" rx="1" />
    </>
  ),
  minus: <path d="M3.5 8h9" />,
  check: <path d="m3.5 8.5 3 3 6-7" strokeWidth="1.75" />,
  close: <path d="m4.5 4.5 7 7m0-7-7 7" />,
  copy: (
    <>
      <rect x="5.5" y="5.5" width="7.5" height="7.5" rx="1.5" />
      <path d="M10.5 5.500V4A1.5 1.5 0 0 0 9 2.500H4A1.5 1.5 0 0 0 2.5 4v5A1.5 1.5 0 0 0 4 10.500h1.5" />
    </>
  ),
  lock: (
    <>
      <rect x="3.5" y="7" width="9" height="6" rx="1" />
      <path d="M5.5 7V5a2.5 2.5 0 0 1 5 0v2" />
    </>
  ),
  file: <path d="M4 2.500h5l3 3v8H4zM9 2.500v3h3" />,
  tool: (
    <path d="M9.8 6.200a3 3 0 0 0-3.9-3.500l1.9 1.9-1.7 1.7-1.9-1.900a3 3 0 0 0 3.7 3.700l4.5 4.500a1.2 1.2 0 0 0 1.7-1.700L9.8 6.400z" />
  ),
  info: (
    <>
      <circle cx="8" cy="8" r="5.5" />
      <path d="M8 7.5V11M8 5v.01" />
    </>
  ),
  warning: <path d="M8 2.8 14 13H2zM8 6.8v2.700M8 11.200v.01" />,
  end: <path d="M8 2.500v8M5 7.500l3 3 3-3M3.5 13.500h9" />,
  up: <path d="m5 9.5 3-3 3 3" />,
  settings: (
    <>
      <circle cx="8" cy="8" r="2" />
      <path d="M8 2.5v1.7M8 11.8v1.7M2.5 8h1.7M11.8 8h1.7M4.1 4.1l1.2 1.2M10.7 10.7l1.2 1.2M4.1 11.9l1.2-1.2M10.7 5.3l1.2-1.2" />
    </>
  ),
  theme: (
    <>
      <circle cx="8" cy="8" r="5" />
      <path d="M8 3a5 5 0 0 1 0 10z" fill="currentColor" />
    </>
  ),
} as const satisfies Record<string, ReactNode>;

export type IconName = keyof typeof PATHS;

/** A decorative icon; the control around it carries the name. */
export function Icon({ name, size = 16 }: { readonly name: IconName; readonly size?: number }) {
  return (
    <svg
      width={size}
      height={size}
      viewBox="0 0 16 16"
      fill="none"
      stroke="currentColor"
      strokeWidth="1.5"
      strokeLinecap="round"
      strokeLinejoin="round"
      aria-hidden
    >
      {PATHS[name]}
    </svg>
  );
}

/** The espalier: a trunk with tiers. */
export function TrunkMark() {
  return (
    <svg
      width="18"
      height="18"
      viewBox="0 0 20 20"
      fill="none"
      stroke="var(--accent)"
      strokeWidth="1.5"
      strokeLinecap="round"
      strokeLinejoin="round"
      aria-hidden
    >
      <path d="M10 18V3M10 14H5.5A2.5 2.5 0 0 1 3 11.5V10M10 14h4.5a2.5 2.5 0 0 0 2.5-2.5V10M10 8.5H7A2 2 0 0 1 5 6.500V5M10 8.5h3a2 2 0 0 0 2-2V5" />
    </svg>
  );
}
