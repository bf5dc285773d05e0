import './app/zod-without-eval.ts';
import '@fontsource-variable/inter/index.css';
import '@fontsource-variable/jetbrains-mono/index.css';
import './ui/theme.css';
import { createRoot } from 'react-dom/client';
import { App } from './app/app.tsx';
import { startConnection } from './app/connection.ts';
import { startDesktop } from './app/desktop.ts';
import { startFocusKeeper } from './app/focus-keeper.ts';
import { loadRest } from './app/lazy-part.tsx';
import { startLive } from './app/live.ts';
import { startTheme } from './app/theme.ts';

const root = document.getElementById('root');
if (root === null) throw new Error('index.html has no #root');
startTheme();
startLive();
startConnection();
startDesktop();
startFocusKeeper();
createRoot(root).render(<App />);
// What is not shown yet is read when the page has nothing better to do: nobody waits for it later.
requestIdleCallback(() => void loadRest(), { timeout: 3_000 });
