import '@fontsource-variable/inter/index.css';
import '@fontsource-variable/jetbrains-mono/index.css';
import './ui/theme.css';
import { createRoot } from 'react-dom/client';
import { config } from 'zod';
import { App } from './app/app.tsx';
import { startConnection } from './app/connection.ts';
import { startLive } from './app/live.ts';
import { startTheme } from './app/theme.ts';

const root = document.getElementById('root');
if (root === null) throw new Error('index.html has no #root');
// The page's policy forbids code made from text; zod would try that once, and the try is reported as a break.
config({ jitless: true });
startTheme();
startLive();
void startConnection();
createRoot(root).render(<App />);
