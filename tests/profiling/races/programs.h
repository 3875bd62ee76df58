#pragma once
// Small random programs: loads, stores, atomics, fences and barriers in a straight line, each executed by some lanes of some
// warps; as PTX, and as what they mean.

#include <array>
#include <cstdint>
#include <random>
#include <string>
#include <vector>

namespace lanescope::races::test {

inline constexpr int blocks = 2, most_blocks = 4, most_warps = 3, memory_bytes = 16;
/// Lanes that touch memory; all lanes come to barriers.
inline constexpr std::array<int, 3> lanes_used{0, 1, 5};

struct Ins {
  enum class Kind {
    load,
    store,
    atomic,
    reduction,
    copy,  ///< cp.async of 4 bytes, from global to shared memory at the same offset
    // Of all the memory, in one piece. A barrier object of the block that is written to waits for the first three.
    bulk_load,    ///< cp.async.bulk from global to shared memory
    bulk_push,    ///< cp.async.bulk from the own to another block's shared memory
    async_store,  ///< st.async of 4 bytes
    bulk_store,   ///< cp.async.bulk from shared to global memory, in a group of the thread
    bulk_reduce,  ///< cp.reduce.async.bulk likewise
    fence,
    barrier,
    named,
    warp_sync,
    shuffle,
    vote,
    commit,
    wait,  ///< for groups of copies
    bulk_commit,
    bulk_wait,  ///< for groups of bulk copies
    arrive,     ///< at a barrier object
    await,      ///< its phase
    cluster_arrive,
    cluster_wait,
    nothing
  } kind = Kind::load;
  enum class Order { weak, is_volatile, relaxed, acquire, release } order = Order::weak;
  bool shared = false;
  bool cta = false, in_cluster = false;  ///< scope of a fence or strong access; neither: the device
  /// Of an access to shared memory, or an arrival at a barrier object: that of the block whose rank is so much higher.
  int remote = 0;
  bool relaxed = false;  ///< of cluster_arrive
  int width = 4;
  std::array<std::uint32_t, most_blocks * most_warps> masks{};  ///< by warp of the grid: lanes that execute it
  int stride = 0, per_warp = 0, first = 0;  ///< unit = (lane * stride + warp * per_warp + first) mod units
  bool same_value = false;                  ///< of a store: all lanes, all instructions the same
  // named barriers, by warp of a block
  int id = 0, threads = 0;
  enum class Role { none, sync, arrive };
  std::array<Role, most_warps> roles{};
  // copies and barrier objects
  int kept_groups = 0;       ///< of wait; -1: wait_all
  bool only_reads = false;   ///< of bulk_wait: until the sources have been read
  int object = 0;            ///< used in one phase
  bool with_copies = false;  ///< arrive: when the lane's copies are complete
  bool others_too = false;   ///< warp_sync: the other lanes, too, among themselves

  bool is_access() const { return kind <= Kind::bulk_reduce; }
  bool is_copy() const { return kind == Kind::copy; }
  bool is_bulk() const { return kind >= Kind::bulk_load && kind <= Kind::bulk_reduce; }
  bool is_asynchronous() const { return is_copy() || is_bulk(); }
  bool by_object() const { return kind >= Kind::bulk_load && kind <= Kind::async_store; }
  bool writes() const { return kind != Kind::load; }
  bool strong() const {
    return kind == Kind::atomic || kind == Kind::reduction || kind == Kind::bulk_reduce || order != Order::weak;
  }
  bool updates() const { return kind == Kind::atomic || kind == Kind::reduction; }
  int byte(int lane, int grid_warp) const {
    return (lane * stride + grid_warp * per_warp + first) % (memory_bytes / width) * width;
  }
};

/// One thread launches another program as a grid.
struct GridLaunch {
  int at = 0;  ///< at this instruction, which is `nothing`
  int block = 0, warp = 0, lane = 0;
  int grid = 0;  ///< which one, in a tree
  enum class Stream { of_block = 0, of_thread = 2, tail = 3, forget = 4 } stream = Stream::of_block;
};

struct Program {
  int warps = 2;
  int block_count = blocks, cluster = 1;  ///< cluster: blocks in each
  bool relaxed_start = false;             ///< with objects: what makes them known to the cluster
  /// Whose shared memory an instruction of a block is about.
  int owner(const Ins& i, int block) const {
    return block / cluster * cluster + (block % cluster + i.remote) % cluster;
  }
  std::vector<Ins> code;
  int objects = 0;
  std::vector<GridLaunch> launches{};
  std::string ptx() const;
  std::string kernel(const std::string& name) const;
};

/// Programs that launch each other; the first one is the host's. Each is launched once, and later than its launcher in the
/// list. As PTX their kernels are k0, k1, ...
using Tree = std::vector<Program>;
std::string ptx_of(const Tree& tree);
Tree random_tree(std::mt19937_64& random);

/// `copies`: with asynchronous copies and barrier objects.
Program random_program(std::mt19937_64& random, bool copies = false);
/// Blocks that reach each other's shared memory, with barriers of their clusters in places.
Program random_cluster_program(std::mt19937_64& random);
/// With bulk copies and asynchronous stores, in launches with and without clusters.
Program random_bulk_program(std::mt19937_64& random);

}  // namespace lanescope::races::test
