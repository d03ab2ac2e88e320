/** Seconds a token may live at most. */
export const maxTokenSeconds = 86_400;
/** Seconds a token lives when the request does not say. */
export const defaultTokenSeconds = 3_600;
