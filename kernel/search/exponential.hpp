// The exponential function with the same result on every machine: libraries differ in the last bit, and one bit may
// decide which of two moves a search visits first.
#pragma once

#include <cstdint>
#include <cstring>

namespace punct::search {

// e to the power of x, to within a bit or two of a double; 0 below -700, not for more than 700.
inline double exponential(double x) {
  if (x < -700.0) return 0.0;
  // x = k * ln 2 + r with r at most half of that, ln 2 in two parts so that no precision is lost; the series for r is
  // short.
  constexpr double log_two_high = 0x1.62e42fefa0000p-1, log_two_low = 0x1.cf79abc9e3b3ap-40;
  const double quotient = x * 0x1.71547652b82fep+0;
  const int64_t k = static_cast<int64_t>(quotient + (quotient < 0.0 ? -0.5 : 0.5));
  const double r = (x - static_cast<double>(k) * log_two_high) - static_cast<double>(k) * log_two_low;
  double sum = 1.0;
  for (int i = 13; i > 0; --i) sum = 1.0 + sum * r / i;
  const uint64_t bits = static_cast<uint64_t>(k + 1023) << 52;
  double power;
  std::memcpy(&power, &bits, sizeof power);
  return sum * power;
}

}  // namespace punct::search
