#include "tests/kernels/emulator/joins/random_joins.h"

#include <bit>
#include <memory>
#include <random>
#include <vector>

namespace lanescope::emulator::test {
namespace {

using u32 = std::uint32_t;
using std::string;

enum class Kind { idx, up, down, bfly, ballot, any, all, match, add, min, bit_or, warp, elect };
constexpr u32 kinds = 13;
enum class Mask { immediate, in_register, group };

struct Node;
using Block = std::vector<Node>;

/// A condition over the lane and the round of the innermost loop.
struct Condition {
  u32 multiplier, modulus, below;  ///< (lane * multiplier + round) % modulus < below
  bool holds(u32 lane, u32 round) const { return (lane * multiplier + round) % modulus < below; }
};

struct Node {
  enum What { operation, add, branch, loop, leave, call } what = operation;
  Kind kind{};
  Mask mask{};
  u32 value = 0;  ///< distance, addend or number of the function
  Condition condition{};
  Block first, second;  ///< sides of a branch; body of a loop, and what follows its break
};

string decimal(u32 n) { return std::to_string(n); }

class Program {
 public:
  explicit Program(unsigned n) : n_(n), random_(n * 2654435761u + 12345) {
    const u32 style = below(20);
    kinds_.push_back(static_cast<Kind>(below(kinds)));
    if (style >= 12) kinds_.push_back(static_cast<Kind>(below(kinds)));
    if (style >= 19) kinds_.push_back(static_cast<Kind>(below(kinds)));
    others_at_top_ = style < 18;
    group_size_ = 1u << (2 + below(3));
    groups_ = below(3) == 0;
    functions_ = below(3);
    for (u32 f = 0; f < functions_; ++f) bodies_.push_back({operation(false), plain(), operation(false)});
    main_ = block(0, false);
  }

  RandomJoins result() {
    RandomJoins r;
    r.entry = ptx();
    run(r);
    return r;
  }

 private:
  u32 below(u32 n) { return static_cast<u32>(random_() % n); }

  Condition condition() {
    const u32 modulus = 2 + below(6);
    return {1 + 2 * below(8), modulus, 1 + below(modulus - 1)};
  }
  static Node made(Node::What what) {
    Node n;
    n.what = what;
    return n;
  }
  Node plain() {
    Node n = made(Node::add);
    n.value = static_cast<u32>(random_());
    return n;
  }
  Node operation(bool top) {
    Node n = made(Node::operation);
    n.kind = kinds_[top || !others_at_top_ ? below(static_cast<u32>(kinds_.size())) : 0];
    n.mask = groups_ ? Mask::group : below(2) == 0 ? Mask::immediate : Mask::in_register;
    n.value = 1 + below(31);
    return n;
  }
  Block block(u32 depth, bool in_loop) {
    Block b;
    const u32 length = depth == 0 ? 3 + below(3) : 1 + below(3);
    for (u32 i = 0; i < length; ++i) {
      const u32 what = below(10);
      if (what < 3 || depth == 3) {
        b.push_back(operation(depth == 0));
      } else if (what < 6) {
        Node n = made(Node::branch);
        n.condition = condition();
        n.first = block(depth + 1, in_loop);
        if (below(4) != 0) n.second = block(depth + 1, in_loop);
        b.push_back(n);
      } else if (what < 8 && !in_loop) {
        Node n = made(Node::loop);
        n.value = 1 + below(3);  // trips: 1 + (lane / value) % 4
        n.condition = condition();
        n.kind = static_cast<Kind>(below(2));  // 1: with a break in the middle
        n.first = block(depth + 1, true);
        n.second = block(depth + 2 > 3 ? 3 : depth + 2, true);
        b.push_back(n);
      } else if (what < 9 && functions_ != 0) {
        Node n = made(Node::call);
        n.value = below(functions_);
        b.push_back(n);
      } else if (below(3) == 0) {
        Node n = made(Node::leave);
        n.condition = condition();
        b.push_back(n);
      }
      b.push_back(plain());
    }
    return b;
  }

  // The program as PTX.

  string label() { return "L" + decimal(n_) + "_" + decimal(labels_++); }

  string text_of(const Node& n) const {
    const string mask = n.mask == Mask::immediate ? "0xffffffff" : n.mask == Mask::in_register ? "%full" : "%group";
    const string from = ", %a, " + decimal(n.value);
    const u32 segment = n.mask == Mask::group ? (32 - group_size_) << 8 : 0;  // shuffles stay in the group
    string op;
    switch (n.kind) {
      case Kind::idx:
        op = "shfl.sync.idx.b32 %r" + from + ", " + decimal(segment + 31) + ", " + mask;
        break;
      case Kind::up:
        op = "shfl.sync.up.b32 %r" + from + ", " + decimal(segment) + ", " + mask;
        break;
      case Kind::down:
        op = "shfl.sync.down.b32 %r" + from + ", " + decimal(segment + 31) + ", " + mask;
        break;
      case Kind::bfly:
        op = "shfl.sync.bfly.b32 %r" + from + ", " + decimal(segment + 31) + ", " + mask;
        break;
      case Kind::ballot:
        op = "setp.lt.s32 %q, %a, 0;\nvote.sync.ballot.b32 %r, %q, " + mask;
        break;
      case Kind::any:
        op = "setp.lt.s32 %q, %a, 0;\nvote.sync.any.pred %q, %q, " + mask + ";\nselp.u32 %r, 3, 5, %q";
        break;
      case Kind::all:
        op = "setp.lt.s32 %q, %a, 0;\nvote.sync.all.pred %q, %q, " + mask + ";\nselp.u32 %r, 3, 5, %q";
        break;
      case Kind::match:
        op = "and.b32 %t, %a, 3;\nmatch.any.sync.b32 %r, %t, " + mask;
        break;
      case Kind::add:
        op = "redux.sync.add.u32 %r, %a, " + mask;
        break;
      case Kind::min:
        op = "redux.sync.min.u32 %r, %a, " + mask;
        break;
      case Kind::bit_or:
        op = "redux.sync.or.b32 %r, %a, " + mask;
        break;
      case Kind::warp:
        op = "bar.warp.sync " + mask + ";\nmov.u32 %r, 9";
        break;
      case Kind::elect:
        op = "elect.sync %r|%q, " + mask + ";\n@%q add.u32 %r, %r, 64";
        break;
    }
    return op + ";\nmad.lo.u32 %a, %a, 31, %r;\n";
  }

  string condition_text(const Condition& c) const {
    return "mad.lo.u32 %t, %l, " + decimal(c.multiplier) + ", %i;\nrem.u32 %t, %t, " + decimal(c.modulus) +
           ";\nadd.u32 %t, %t, %z;\n" + "setp.lt.u32 %p, %t, " + decimal(c.below) + ";\n";
  }

  string text_of(const Block& b) {
    string s;
    for (const Node& n : b) {
      switch (n.what) {
        case Node::operation:
          s += text_of(n);
          break;
        case Node::add:
          s += "add.u32 %a, %a, " + decimal(n.value) + ";\nst.volatile.global.u32 [%d0+" +
               decimal(4096 + 128 * (stores_++ % 64)) + "], %a;\n";
          break;
        case Node::branch: {
          const string other = label(), join = label();
          s += condition_text(n.condition) + "@!%p bra " + other + ";\n" + text_of(n.first) + "bra.uni " + join +
               ";\n" + other + ":\n" + text_of(n.second) + join + ":\n";
          break;
        }
        case Node::loop: {
          const string top = label(), out = label(), broken = label();
          s += "mov.u32 %i, %z;\ndiv.u32 %n, %l, " + decimal(n.value) + ";\nand.b32 %n, %n, 3;\nadd.u32 %n, %n, 1;\n" +
               top + ":\n" + text_of(n.first);
          if (n.kind != Kind::idx) s += condition_text(n.condition) + "@%p bra " + broken + ";\n";
          s += "add.u32 %i, %i, 1;\nsetp.lt.u32 %p, %i, %n;\n@%p bra " + top + ";\nbra.uni " + out + ";\n" + broken +
               ":\n" + text_of(n.second) + out + ":\nmov.u32 %i, %z;\n";
          break;
        }
        case Node::leave:
          s += condition_text(n.condition) + "@%p st.global.u32 [%d0], %a;\n@%p exit;\n";
          break;
        case Node::call:
          s += "{\n.param .b32 x0, y0, y1, y2, y3;\n.param .b64 y4;\nst.param.b32 [y0], %a;\nst.param.b32 [y1], "
               "%l;\nst.param.b32 "
               "[y2], %full;\nst.param.b32 [y3], %group;\nst.param.b64 [y4], %d0;\ncall (x0), f" +
               decimal(n_) + "_" + decimal(n.value) + ", (y0, y1, y2, y3, y4);\nld.param.b32 %a, [x0];\n}\n";
          break;
      }
    }
    return s;
  }

  string ptx() {
    string s;
    for (u32 f = 0; f < functions_; ++f)
      s += ".func (.param .b32 x) f" + decimal(n_) + "_" + decimal(f) +
           "(.param .b32 y0, .param .b32 y1, .param .b32 y2, .param .b32 y3, .param .b64 y4)\n{\n.reg .pred %q;\n.reg "
           ".b32 %a, %l, %full, "
           "%group, %r, %t;\n.reg .b64 %d0;\nld.param.b32 %a, [y0];\nld.param.b32 %l, [y1];\nld.param.b32 %full, "
           "[y2];\nld.param.b32 "
           "%group, [y3];\nld.param.b64 %d0, [y4];\n" +
           text_of(bodies_[f]) + "st.param.b32 [x], %a;\nret;\n}\n";
    s += ".visible .entry k" + decimal(n_) +
         "(.param .u64 out, .param .u64 in)\n{\n.reg .pred %p, %q;\n.reg .b32 %a, %l, %z, %full, %group, %r, %t, %i, "
         "%n;\n.reg .b64 "
         "%d0, %d1, %d2;\nmov.u32 %l, %tid.x;\nmul.wide.u32 %d2, %l, 4;\nld.param.u64 %d0, [out];\nld.param.u64 %d1, "
         "[in];\nadd.s64 "
         "%d0, %d0, %d2;\nadd.s64 %d1, %d1, %d2;\nld.volatile.global.u32 %z, [%d1];\nnot.b32 %full, %z;\nmov.u32 %i, "
         "%z;\n"
         "mul.lo.u32 %a, %l, 2654435761;\nand.b32 %t, %l, " +
         decimal(32 - group_size_) + ";\nmov.u32 %group, " + decimal((group_size_ == 32 ? 0 : 1u << group_size_) - 1u) +
         ";\nshl.b32 %group, %group, %t;\n";
    return s + text_of(main_) + "st.global.u32 [%d0], %a;\nret;\n}\n";
  }

  // The program lane by lane.

  /// Operations and additions of a lane in order; false where the lane exits.
  bool trace(const Block& b, u32 lane, u32 round, std::vector<const Node*>& out) const {
    for (const Node& n : b) switch (n.what) {
        case Node::operation:
        case Node::add:
          out.push_back(&n);
          break;
        case Node::branch:
          if (!trace(n.condition.holds(lane, round) ? n.first : n.second, lane, round, out)) return false;
          break;
        case Node::loop: {
          const u32 trips = 1 + ((lane / n.value) & 3);
          for (u32 i = 0; i < trips; ++i) {
            if (!trace(n.first, lane, i, out)) return false;
            if (n.kind != Kind::idx && n.condition.holds(lane, i)) {
              if (!trace(n.second, lane, i, out)) return false;
              break;
            }
          }
          break;
        }
        case Node::leave:
          if (n.condition.holds(lane, round)) return false;
          break;
        case Node::call:
          trace(bodies_[n.value], lane, round, out);
          break;
      }
    return true;
  }

  u32 mask_of(const Node& n, u32 lane) const {
    if (n.mask != Mask::group || group_size_ == 32) return 0xffffffffu;
    return ((1u << group_size_) - 1u) << (lane & (32 - group_size_));
  }

  /// One operation over the lanes of `set`.
  void act(u32 set, const std::array<const Node*, 32>& at, std::array<u32, 32>& a, RandomJoins& out) const {
    const Node& one = *at[static_cast<u32>(std::countr_zero(set))];
    const Kind kind = one.kind;
    const u32 length = one.mask == Mask::group ? group_size_ : 32;
    const std::array<u32, 32> before = a;
    u32 negative = 0, sum = 0, least = ~0u, bits = 0;
    for (u32 l = 0; l < 32; ++l)
      if ((set >> l & 1) != 0) {
        negative |= (before[l] >> 31) << l;
        sum += before[l];
        least = before[l] < least ? before[l] : least;
        bits |= before[l];
      }
    for (u32 l = 0; l < 32; ++l) {
      if ((set >> l & 1) == 0) continue;
      const u32 value = at[l]->value, first = l & (32 - length), last = first + length - 1;
      /// Of the lane at a distance; outside of the segment the own one, but shfl.bfly reads lower segments.
      const auto of = [&](u32 from) {
        if (from > last || (from < first && kind != Kind::bfly)) from = l;
        if (from < first) {
          out.reads_others = true;
          return 0u;
        }
        out.undefined = out.undefined || (set >> from & 1) == 0;
        return before[from];
      };
      u32 r = 0;
      switch (kind) {
        case Kind::idx:
          r = of(first | (value & (length - 1)));
          break;
        case Kind::up:
          r = of(l - value);
          break;
        case Kind::down:
          r = of(l + value);
          break;
        case Kind::bfly:
          r = of(l ^ value);
          break;
        case Kind::ballot:
          r = negative;
          break;
        case Kind::any:
          r = negative != 0 ? 3 : 5;
          break;
        case Kind::all:
          r = negative == set ? 3 : 5;
          break;
        case Kind::match:
          for (u32 m = 0; m < 32; ++m)
            if ((set >> m & 1) != 0 && (before[m] & 3) == (before[l] & 3)) r |= 1u << m;
          break;
        case Kind::add:
          r = sum;
          break;
        case Kind::min:
          r = least;
          break;
        case Kind::bit_or:
          r = bits;
          break;
        case Kind::warp:
          r = 9;
          break;
        case Kind::elect: {
          const u32 leader = static_cast<u32>(std::countr_zero(set));
          r = leader + (leader == l ? 64 : 0);
          break;
        }
      }
      a[l] = before[l] * 31 + r;
    }
  }

  void run(RandomJoins& out) const {
    std::array<std::vector<const Node*>, 32> traces;
    std::array<std::size_t, 32> next{};
    std::array<u32, 32> a{};
    for (u32 l = 0; l < 32; ++l) {
      trace(main_, l, 0, traces[l]);
      a[l] = l * 2654435761u;
    }
    while (true) {
      std::array<const Node*, 32> at{};  // null: the lane has exited
      u32 alive = 0;
      for (u32 l = 0; l < 32; ++l) {
        while (next[l] < traces[l].size() && traces[l][next[l]]->what == Node::add) a[l] += traces[l][next[l]++]->value;
        if (next[l] == traces[l].size()) continue;
        at[l] = traces[l][next[l]];
        alive |= 1u << l;
      }
      if (alive == 0) break;
      bool moved = false;
      for (u32 l = 0; l < 32 && !moved; ++l) {
        if (at[l] == nullptr) continue;
        const u32 mask = mask_of(*at[l], l), set = mask & alive;
        bool ready = true;
        for (u32 m = 0; m < 32; ++m)
          if ((set >> m & 1) != 0) ready = ready && at[m]->kind == at[l]->kind && mask_of(*at[m], m) == mask;
        if (!ready) continue;
        act(set, at, a, out);
        for (u32 m = 0; m < 32; ++m) next[m] += set >> m & 1;
        moved = true;
      }
      if (!moved) {
        out.mismatch = true;
        return;
      }
    }
    out.results = a;
  }

  unsigned n_;
  std::mt19937 random_;
  std::vector<Kind> kinds_;
  bool others_at_top_ = false, groups_ = false;
  u32 group_size_ = 32, functions_ = 0, labels_ = 0, stores_ = 0;
  std::vector<Block> bodies_;
  Block main_;
};

}  // namespace

RandomJoins random_joins(unsigned n) { return Program(n).result(); }

std::uint32_t results_hash(const std::uint32_t* words) {
  std::uint32_t h = 2166136261u;
  for (int i = 0; i < 32; ++i) h = (h ^ words[i]) * 16777619u;
  return h;
}

}  // namespace lanescope::emulator::test
