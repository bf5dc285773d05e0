/** The provider of the Demo: a script that ships with the app answers. It is no setting, and holds in the Demo's projects alone. */
export const DEMO_PROVIDER = 'demo';

/** The model that answers in the Demo's projects. */
export const DEMO_MODEL = `${DEMO_PROVIDER}/scripted-demo`;
