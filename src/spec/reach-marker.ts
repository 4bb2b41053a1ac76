/**
 * In the message of a panic that a reaching test set off, wherever the message ends up. What
 * writes it into a function and what looks for it in a run may know nothing of each other.
 */
export const REACH_MARKER = 'counterproof: the edited function was reached';
