/** The conversation as a delegation tree. */
export function Tree({ conversationId }: { readonly conversationId: string }) {
  return <div>{conversationId}</div>;
}
