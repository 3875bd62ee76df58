#pragma once
// Limits of work in tests: time of this thread on a processor, in units of a loop that the same process runs. Other programs do not
// count, and a slow processor or a sanitizer slows both.

#include <ctime>

#include <algorithm>
#include <map>
#include <string>

namespace lanescope {

inline double processor_seconds() {
  timespec now{};
  clock_gettime(CLOCK_THREAD_CPUTIME_ID, &now);
  return static_cast<double>(now.tv_sec) + static_cast<double>(now.tv_nsec) * 1e-9;
}

/// Of ten thousand insertions into a map of strings, the least of five: about 4 ms.
inline double seconds_of_a_loop() {
  static const double least = [] {
    double best = 1e9;
    for (int round = 0; round < 5; ++round) {
      const double begin = processor_seconds();
      std::map<std::string, unsigned> map;
      for (unsigned i = 0, x = 1; i < 10'000; ++i, x = x * 1'664'525 + 1'013'904'223) map[std::to_string(x)] = i;
      best = std::min(best, processor_seconds() - begin);
    }
    return best;
  }();
  return least;
}

class Work {
 public:
  /// Since it was made, in loops.
  double loops() const { return (processor_seconds() - begin_) / seconds_of_a_loop(); }

 private:
  double begin_ = processor_seconds();
};

}  // namespace lanescope
