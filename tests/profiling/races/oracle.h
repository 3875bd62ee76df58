#pragma once
// Happens-before by brute force: a graph of points between the instructions of every thread, and a search through it for every
// pair of accesses. Contains nothing about clocks, and nothing of the observer that it judges.

#include <map>
#include <set>
#include <tuple>
#include <vector>

#include "programs.h"

namespace lanescope::races::test {

struct Thread {
  int block = 0, warp = 0, lane = 0;
  int grid = 0;  ///< in a tree
  auto operator<=>(const Thread&) const = default;
};

struct Access {
  int instruction = 0;
  Thread thread;
  bool of_source = false;  ///< of a copy: it reads; else it writes
  auto operator<=>(const Access&) const = default;
};

struct Pair {
  Access a, b;  ///< a < b
  int byte = 0;
  auto operator<=>(const Pair&) const = default;
};

struct Verdict {
  std::map<Pair, bool> pairs;  ///< both write, and the same
  /// Shared, block (0 for global memory), byte, where some pair meets; blocks are numbered through the grids of a tree.
  std::set<std::tuple<bool, int, int>> bytes;
  /// Pairs that are no races, since both are strong, one of them by being volatile.
  std::map<Pair, bool> volatile_pairs;
  std::set<std::tuple<bool, int, int>> volatile_bytes;
};

/// `log`: the accesses in the order of the run, which says what strong reads have read.
/// `strong_pairs`: atomics conflict with each other, too.
Verdict judge(const Program& program, const std::vector<Access>& log, bool strong_pairs = false);

/// An access to shared memory of another block, or to a barrier object there.
struct Reach {
  Access access;
  int owner = 0;
  bool until_end = true;  ///< the block has to wait for it; not for an arrival that orders nothing
};
/// Of accesses to other blocks' shared memory, in the order of the run: those that may come before the block begins, and of
/// each thread's last ones to each block those that may come when the block has ended.
struct Lifetimes {
  std::set<std::pair<int, Thread>> begin;  ///< instruction and thread
  std::set<std::pair<int, Thread>> end;
};
Lifetimes lifetimes(const Program& program, const std::vector<Access>& log, const std::vector<Reach>& reaches);

/// Of a tree. `order`: its grids as they ran, which is also the order of launches into one stream.
Verdict judge_tree(const Tree& tree, const std::vector<int>& order, const std::vector<Access>& log);

}  // namespace lanescope::races::test
