/** Characters of a tool result that go to the model. */
export const RESULT_LIMIT = 50_000;
