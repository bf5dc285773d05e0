import { config } from 'zod';

// The page's policy forbids code made from text. Zod tries it once, as the first schema is made, and the try is reported as
// a break of the policy; so this is the first import of the page.
config({ jitless: true });
