const vouchers = {
  READER10: { percent: 10 },
  WELCOME5: { amount: 5 },
};

export function discountFor(code, total) {
  const voucher = vouchers[code];
  if (!voucher) return 0;
  if (voucher.amount) return Math.min(voucher.amount, total);
  return Number(((total * voucher.percent) / 100).toFixed(2));
}
