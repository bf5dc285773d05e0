import { create } from 'zustand';

/** Whether the first start is shown; null until it is known whether there is a project. */
export const useFirstStart = create<{ readonly open: boolean | null }>(() => ({ open: null }));

export const openFirstStart = (): void => {
  useFirstStart.setState({ open: true });
};

export const closeFirstStart = (): void => {
  useFirstStart.setState({ open: false });
};
