#include "kernels/convert/exports/global_kernel.h"

#include <algorithm>
#include <bit>
#include <map>

#include <fmt/format.h>

#include "kernels/convert/bits.h"

namespace lanescope::convert {
namespace {

constexpr int most_static_shared_bytes = 48 * 1024, most_access_bytes = 16;

/// One side of the conversion as coordinates in an array.
struct GlobalSide {
  bool source = true;
  std::string array, strides;  ///< "p", "from_stride"
  int fastest = 0;             ///< axis
  int registers = 0;           ///< bits, words not among them
  std::vector<int> order;      ///< axes, the fastest first
  std::vector<int> run;        ///< local place bits that number elements side by side, lowest first
  int crossed = 0;             ///< axes that are whole inside the run
};

class GlobalWriter {
 public:
  GlobalWriter(const Conversion& c, const GlobalKernel& wanted) : c_(c), map_(c.planned.map), wanted_(wanted) {}

  Expected<GlobalText> write() {
    if (map_.element_bits < 8)
      return failure(fmt::format("elements of {} bits have no address", map_.element_bits),
                     "take elements of 8 bits or more, or a kernel file");
    if (map_.blocks > 0) return failure("a tile belongs to one block", "leave the block row out");
    if (auto ok = choose_axes(); !ok) return tl::unexpected<Diagnostics>(std::move(ok.error()));
    tiles_of_a_block_ = map_.warps > 0 ? 1 : std::max(1, wanted_.warps_of_a_block);
    threads_ = (lanes << map_.warps) * tiles_of_a_block_;
    if (shared_bytes() > most_static_shared_bytes)
      return failure(fmt::format("a block would need {} bytes of shared memory", shared_bytes()),
                     "take a smaller tile or fewer warps");
    choose_run(from_);
    choose_run(to_);
    GlobalText out{.text = device_function(c_, wanted_.names) + "\n" + shape_text() + "\n" + kernel_text(),
                   .axes = axes_};
    for (const int b : bits_) out.tile.push_back(1 << b);
    out.threads = threads_;
    out.tiles_of_a_block = tiles_of_a_block_ * tiles_in_a_row();
    out.load_bytes = access_bytes(from_);
    out.store_bytes = access_bytes(to_);
    out.from_row_bytes = row_bytes(from_);
    out.to_row_bytes = row_bytes(to_);
    return out;
  }

 private:
  const std::string& name() const { return wanted_.names.function; }
  std::uint64_t shared_bytes() const {
    return c_.plan.shared
               ? (c_.plan.shared->shared_bytes() + 15) / 16 * 16 * static_cast<std::uint64_t>(tiles_of_a_block_)
               : 0;
  }
  int access_bytes(const GlobalSide& s) const { return (map_.element_bits << s.run.size()) / 8; }
  /// Along the fastest axis, and along the next one where vectors take the fastest one to be whole.
  int row_bytes(const GlobalSide& s) const {
    int bits = 0;
    for (int n = 0; n <= s.crossed && n < static_cast<int>(s.order.size()); ++n)
      bits += bits_[index(s.order[index(n)])];
    return (map_.element_bits << bits) / 8;
  }
  std::string element_type() const { return wanted_.element_type.empty() ? unit_type() : wanted_.element_type; }
  std::string unit_type() const {
    switch (map_.element_bits) {
      case 8:
        return "unsigned char";
      case 16:
        return "unsigned short";
      case 32:
        return "unsigned";
      case 64:
        return "unsigned long long";
      default:
        return "uint4";
    }
  }
  std::string word_type() const { return map_.element_bits <= 32 ? "unsigned" : unit_type(); }

  Expected<void> choose_axes() {
    std::map<std::string, int> bits;
    for (const std::string& n : map_.names) {
      const layout::LogicalBit l = layout::split_name(n);
      bits[l.axis] = std::max(bits[l.axis], l.bit + 1);
    }
    for (const auto& [axis, count] : bits) {
      axes_.push_back(axis), bits_.push_back(count);
      const auto named = std::ranges::count_if(
          map_.names, [&axis = axis](const std::string& n) { return layout::split_name(n).axis == axis; });
      if (named < count)
        return failure(fmt::format("{} of the {} bits of axis {} are in no place", count - named, count, axis),
                       "a whole kernel moves every element of its tiles: give those bits a place, or number from 0");
    }
    for (auto* const order : {&wanted_.from_axes, &wanted_.to_axes}) {
      std::vector<std::string> sorted = *order;
      std::ranges::sort(sorted);
      if (!sorted.empty() && sorted != axes_)
        return failure(fmt::format("the axes are {}, not {}", fmt::join(axes_, " "), fmt::join(*order, " ")),
                       "name each axis of the assignments once, the one that is fastest in memory last");
    }
    for (const std::string& n : map_.names) {
      const layout::LogicalBit l = layout::split_name(n);
      coordinate_.emplace_back(std::ranges::find(axes_, l.axis) - axes_.begin(), l.bit);
    }
    const auto side = [&](bool source, std::string array, std::string strides, const std::vector<std::string>& names,
                          int registers) {
      GlobalSide out{.source = source,
                     .array = std::move(array),
                     .strides = std::move(strides),
                     .fastest = 0,
                     .registers = registers - map_.word_bits,
                     .order = {},
                     .run = {}};
      for (const std::string& n : names.empty() ? axes_ : names)
        out.order.insert(out.order.begin(), static_cast<int>(std::ranges::find(axes_, n) - axes_.begin()));
      out.fastest = out.order.empty() ? 0 : out.order.front();
      return out;
    };
    from_ = side(true, "p", "from_stride", wanted_.from_axes, map_.from_registers);
    to_ = side(false, "q", "to_stride", wanted_.to_axes, map_.to_registers);
    return {};
  }

  /// The coordinate along an axis of the element at a place of a side.
  std::uint64_t coordinate(const GlobalSide& s, int axis, std::uint64_t place) const {
    const std::uint64_t element = map_.element_at(s.source ? place : map_(place));
    std::uint64_t out = 0;
    for (std::size_t n = 0; n < coordinate_.size(); ++n)
      if (coordinate_[n].first == axis && has(element, static_cast<int>(n))) out |= bit(coordinate_[n].second);
    return out;
  }
  /// The summand of a bit of a place.
  std::uint64_t step(const GlobalSide& s, int axis, int place_bit) const {
    return coordinate(s, axis, bit(place_bit)) ^ coordinate(s, axis, 0);
  }
  int axis_count() const { return static_cast<int>(axes_.size()); }
  int place_bits() const { return map_.lane(lane_bits) + map_.warps; }
  /// Whether a bit of a place of this side holds something.
  bool exists(const GlobalSide& s, int place_bit) const {
    return s.source ? has(map_.from_bits, place_bit) : map_.roles[index(place_bit)] != Role::free;
  }
  bool is_local_bit(const GlobalSide& s, int b) const {
    return b < map_.slots || (b >= map_.slots + map_.word_bits && b < map_.slots + map_.word_bits + s.registers);
  }

  /// Bits of the elements that are side by side: those of the fastest axis, then, if that one is whole, of the next.
  void choose_run(GlobalSide& s) const {
    std::size_t at_axis = 0;
    int k = 0;
    while ((map_.element_bits << (s.run.size() + 1)) / 8 <= most_access_bytes) {
      while (at_axis < s.order.size() && k == bits_[index(s.order[at_axis])]) {
        ++at_axis;
        k = 0;
      }
      if (at_axis == s.order.size()) return;
      const int axis = s.order[at_axis];
      int found = -1;
      bool alone = !has(coordinate(s, axis, 0), k);
      for (int b = 0; b < place_bits(); ++b) {
        if (!has(step(s, axis, b), k)) continue;
        bool pure = is_local_bit(s, b) && exists(s, b) && found < 0;
        for (int a = 0; a < axis_count(); ++a) pure = pure && step(s, a, b) == (a == axis ? bit(k) : 0);
        alone = alone && pure;
        found = b;
      }
      if (found < 0 || !alone) return;
      s.run.push_back(found);
      s.crossed = static_cast<int>(at_axis);
      ++k;
    }
  }

  std::string shape_text() const {
    std::vector<std::string> tiles;
    for (int a = 0; a < axis_count(); ++a)
      tiles.push_back(fmt::format("((s.size[{}] + {}) / {})", a, (1 << bits_[index(a)]) - 1, 1 << bits_[index(a)]));
    std::string out = fmt::format(
        "// Two arrays with axes ({}): q has each element of p at the same coordinates. Sizes and strides are in "
        "elements.\n"
        "struct {}_shape {{\n  long long size[{}], from_stride[{}], to_stride[{}];\n}};\n",
        fmt::join(axes_, ", "), name(), axis_count(), axis_count(), axis_count());
    const int tiles_each = tiles_of_a_block_ * tiles_in_a_row();
    out +=
        fmt::format("// Blocks of {} threads; {} of {} elements each.\n", threads_,
                    tiles_each == 1 ? "one tile" : fmt::format("{} tiles", tiles_each), fmt::join(tile_shape(), " x "));
    out += fmt::format(
        "inline unsigned {}_blocks(const {}_shape& s) {{\n  return static_cast<unsigned>(({} + {}) / {});\n}}\n",
        name(), name(), fmt::join(tiles, " * "), tiles_each - 1, tiles_each);
    return out;
  }
  std::vector<int> tile_shape() const {
    std::vector<int> out;
    for (const int b : bits_) out.push_back(1 << b);
    return out;
  }

  std::string kernel_text() const {
    const int tile_threads = lanes << map_.warps;
    const std::string least =
        wanted_.blocks_of_a_multiprocessor > 0 ? fmt::format(", {}", wanted_.blocks_of_a_multiprocessor) : "";
    std::string out = fmt::format(
        "\n__global__ void __launch_bounds__({0}{4}) {1}_kernel(const {2}* p_elements, {2}* q_elements, {1}_shape s) "
        "{{\n"
        "  using Element = {3};\n",
        threads_, name(), element_type(), unit_type(), least);
    const int row = tiles_in_a_row();
    const std::string factor = row == 1 ? "" : fmt::format(" * {}", row * tiles_of_a_block_);
    out += tiles_of_a_block_ == 1
               ? fmt::format("  const unsigned thread = threadIdx.x;\n  unsigned tile = blockIdx.x{};\n", factor)
               : fmt::format(
                     "  const unsigned thread = threadIdx.x % {0};\n"
                     "  unsigned tile = blockIdx.x * {1} + threadIdx.x / {0};\n",
                     tile_threads, row * tiles_of_a_block_);
    if (c_.plan.shared) {
      out += fmt::format("  __shared__ uint4 memory[{}];\n", shared_bytes() / 16);
      if (tiles_of_a_block_ > 1)
        out += fmt::format("  uint4* const shared = memory + threadIdx.x / {} * {};\n", tile_threads,
                           shared_bytes() / 16 / static_cast<std::uint64_t>(tiles_of_a_block_));
    }
    return out + (row == 1 ? one_tile(tile_threads) : tiles_after_one_another(tile_threads)) + "}\n";
  }
  int tiles_in_a_row() const { return std::max(1, wanted_.tiles_in_a_row); }
  int group() const { return from_.fastest == to_.fastest ? 0 : wanted_.tile_group; }
  std::string pointers(bool source, std::string_view indent) const {
    return source ? fmt::format("{}const Element* p = reinterpret_cast<const Element*>(p_elements);\n", indent)
                  : fmt::format("{}Element* q = reinterpret_cast<Element*>(q_elements);\n", indent);
  }
  std::string call() const {
    const char* const memory = tiles_of_a_block_ > 1 ? ", shared" : ", memory";
    return fmt::format("{}(x, y{});\n", name(), c_.plan.shared ? memory : "");
  }

  std::string one_tile(int tile_threads) const {
    std::string out = pointers(true, "  ") + pointers(false, "  ") + coordinates_text("return;");
    if (!from_.run.empty() || !to_.run.empty()) out += whole_text();
    out += offset(from_, tile_threads) + offset(to_, tile_threads);
    out += fmt::format("  {} x[{}], y[{}];\n", word_type(), 1 << from_.registers, 1 << to_.registers);
    return out + side_text(from_) + "  " + call() + side_text(to_);
  }

  std::string tiles_after_one_another(int tile_threads) const {
    const int from = 1 << from_.registers, to = 1 << to_.registers;
    const auto body = [&](const GlobalSide& s) {
      std::string text = pointers(s.source, "  ") + coordinates_text(s.source ? "return false;" : "return;");
      if (!s.run.empty()) text += whole_text();
      text += offset(s, tile_threads) + side_text(s);
      std::string out;
      for (std::size_t at = 0; at < text.size();) {
        const std::size_t end = std::min(text.find('\n', at), text.size());
        out += "  " + text.substr(at, end - at) + "\n";
        at = end + 1;
      }
      return out;
    };
    std::string out =
        fmt::format("  // False: there is no such tile.\n  const auto load = [&](unsigned tile, {} (&x)[{}]) {{\n",
                    word_type(), from) +
        body(from_) + "    return true;\n  };\n";
    out += fmt::format("  const auto store = [&](unsigned tile, const {} (&y)[{}]) {{\n", word_type(), to) + body(to_) +
           "  };\n";
    out += fmt::format(
        "  {0} x[{1}], next[{1}], y[{2}];\n  if (!load(tile, x)) return;\n  #pragma unroll 1\n"
        "  for (int n = 1;; n++) {{\n    // The next tile is on its way while this one is converted and stored.\n"
        "    const bool more = n < {3} && load(tile + {4}, next);\n    {5}    store(tile, y);\n"
        "    if (!more) break;\n{6}    #pragma unroll\n    for (int r = 0; r < {1}; r++) x[r] = next[r];\n    tile += "
        "{4};\n"
        "  }}\n",
        word_type(), from, to, tiles_in_a_row(), tiles_of_a_block_, call(),
        !c_.plan.shared                 ? ""
        : c_.plan.shared->between_warps ? "    __syncthreads();\n"
                                        : "    __syncwarp();\n");
    return out;
  }

  std::string whole_text() const {
    std::vector<std::string> inside;
    for (int a = 0; a < axis_count(); ++a)
      inside.push_back(fmt::format("at{0} + {1} <= s.size[{0}]", a, 1 << bits_[index(a)]));
    return fmt::format("  const bool whole = {};\n", fmt::join(inside, " && "));
  }

  /// Coordinates of the tile. The axis that is fastest in q changes fastest from tile to tile, or inside a group.
  std::string coordinates_text(std::string_view leave) const {
    std::vector<int> order;
    for (int a = 0; a < axis_count(); ++a) order.push_back(a);
    const int first = group() == 0 ? to_.fastest : from_.fastest;
    std::ranges::stable_sort(order, [&](int a, int b) { return (a == first) > (b == first); });
    const auto tiles = [&](int a) {
      return fmt::format("  const unsigned tiles{0} = static_cast<unsigned>((s.size[{0}] + {1}) / {2});\n", a,
                         (1 << bits_[index(a)]) - 1, 1 << bits_[index(a)]);
    };
    std::string out = "  // Coordinates of the tile's first element\n";
    if (const int g = group(); g > 1) {
      const int f = from_.fastest, t = to_.fastest;
      out += tiles(f) + tiles(t);
      out += fmt::format(
          "  unsigned place = tile % (tiles{0} * tiles{1});\n  tile /= tiles{0} * tiles{1};\n"
          "  const unsigned group = place / ({2} * tiles{0}) * {2};  // its first tile along axis {1}\n"
          "  const unsigned high = tiles{1} - group < {2} ? tiles{1} - group : {2};\n  place -= group * tiles{0};\n"
          "  const long long at{0} = {3}ll * (place / high), at{1} = {4}ll * (group + place % high);\n",
          f, t, g, 1 << bits_[index(f)], 1 << bits_[index(t)]);
      std::erase_if(order, [&](int a) { return a == f || a == t; });
      if (order.empty()) return out + fmt::format("  if (tile > 0) {}\n", leave);
    }
    for (const int a : order) {
      const int size = 1 << bits_[index(a)];
      if (a == order.back())
        out +=
            fmt::format("  const long long at{0} = {1}ll * tile;\n  if (at{0} >= s.size[{0}]) {2}\n", a, size, leave);
      else
        out += tiles(a) +
               fmt::format("  const long long at{0} = {1}ll * (tile % tiles{0});\n  tile /= tiles{0};\n", a, size);
    }
    return out;
  }

  /// Moves a pointer to the tile, and says so.
  std::string offset(const GlobalSide& s, int tile_threads) const {
    std::vector<std::string> terms, before, after;
    for (int a = 0; a < axis_count(); ++a) {
      terms.push_back(fmt::format("at{0} * s.{1}[{0}]", a, s.strides));
      before.push_back(fmt::format("s.size[{}]", a));
      after.push_back(fmt::format("{}", 1 << bits_[index(a)]));
    }
    const std::string strides = fmt::format("strides s.{}", s.strides);
    std::string out = fmt::format(
        "  // Apply per-{0} offset\n  //   before: shape ({1}), {3}\n  //   after: shape ({2}), {3}\n",
        tile_threads == threads_ ? "block" : "warp", fmt::join(before, ", "), fmt::join(after, ", "), strides);
    return out + fmt::format("  {} += {};\n", s.array, fmt::join(terms, " + "));
  }

  std::vector<std::uint64_t> local_places(const GlobalSide& s) const {
    std::vector<std::uint64_t> out;
    for (std::uint64_t r = 0; r < bit(s.registers); ++r)
      for (std::uint64_t e = 0; e < bit(map_.slots); ++e) out.push_back((r << map_.word_bits) << map_.slots | e);
    return out;
  }
  bool exists_at(const GlobalSide& s, std::uint64_t place) const {
    for (int b = 0; b < map_.local(); ++b)
      if (has(place, b) && !exists(s, b)) return false;
    return true;
  }
  std::uint64_t junk_threads(const GlobalSide& s) const {
    std::uint64_t out = 0;
    for (int b = map_.local(); b < place_bits(); ++b)
      if (!exists(s, b)) out |= bit(b - map_.local());
    return out;
  }
  std::uint64_t thread_mask(const GlobalSide& s, int axis) const {
    std::uint64_t out = coordinate(s, axis, 0);
    for (int b = map_.local(); b < place_bits(); ++b) out |= step(s, axis, b);
    return out;
  }
  /// The coordinate at a local place, given the thread's own part `prefix`axis.
  std::string coordinate_text(const GlobalSide& s, int axis, std::uint64_t local) const {
    const std::uint64_t c = coordinate(s, axis, local) ^ coordinate(s, axis, 0);
    if (c == 0) return fmt::format("{}{}", s.array, axis);
    return fmt::format("({}{} {} {})", s.array, axis, (c & thread_mask(s, axis)) == 0 ? "+" : "^", c);
  }

  std::string side_text(const GlobalSide& s) const {
    std::string out;
    for (int a = 0; a < axis_count(); ++a) {
      std::vector<std::uint64_t> threads;
      for (int b = map_.local(); b < place_bits(); ++b) threads.push_back(step(s, a, b));
      const std::uint64_t constant = coordinate(s, a, 0);
      const std::string linear = linear_text("thread", threads);
      out += fmt::format("  const long long {}{} = {}{};\n", s.array, a, constant == 0 ? linear : "(" + linear + ")",
                         constant == 0 ? "" : fmt::format(" ^ {}", constant));
    }
    if (s.source) out += "  #pragma unroll\n  for (auto& word : x) word = {};\n";
    const std::uint64_t junk = junk_threads(s);
    const std::string some = junk == 0 ? "" : fmt::format("(thread & {}) == 0 && ", junk);
    // Vectors where the addresses allow them.
    std::vector<std::string> aligned = {
        "whole", fmt::format("s.{}[{}] == 1", s.strides, s.fastest),
        fmt::format("reinterpret_cast<unsigned long long>({}) % {} == 0", s.array, access_bytes(s))};
    int before = 0;
    for (int n = 0; n < s.crossed; ++n) {
      const int inner = s.order[index(n)], outer = s.order[index(n + 1)];
      before += bits_[index(inner)];
      aligned.push_back(fmt::format("s.size[{}] == {}", inner, 1 << bits_[index(inner)]));
      aligned.push_back(fmt::format("s.{}[{}] == {}", s.strides, outer, 1 << before));
    }
    for (int a = 0; a < axis_count(); ++a)
      if (std::ranges::find(s.order, a) - s.order.begin() > s.crossed)
        aligned.push_back(fmt::format("s.{}[{}] % {} == 0", s.strides, a, 1 << s.run.size()));
    const bool vectors = !s.run.empty();
    if (vectors) {
      out += fmt::format("  if ({}{}) {{\n", some, fmt::join(aligned, " && "));
      out += additive(s) ? per_thread_offset(s) : "";
      for (const std::uint64_t place : local_places(s))
        if (exists_at(s, place) && std::ranges::none_of(s.run, [&](int b) { return has(place, b); }))
          out += access_text(s, place);
      out += "  } else ";
    } else {
      out += "  ";
    }
    if (!some.empty()) out += fmt::format("if ({}true) ", some);
    return out + one_by_one(s);
  }

  bool additive(const GlobalSide& s) const {
    for (int a = 0; a < axis_count(); ++a)
      for (const std::uint64_t place : local_places(s))
        if (((coordinate(s, a, place) ^ coordinate(s, a, 0)) & thread_mask(s, a)) != 0) return false;
    return true;
  }
  std::string per_thread_offset(const GlobalSide& s) const {
    std::vector<std::string> terms, before, after;
    for (int a = 0; a < axis_count(); ++a) {
      terms.push_back(a == s.fastest ? fmt::format("{}{}", s.array, a)
                                     : fmt::format("{0}{1} * s.{2}[{1}]", s.array, a, s.strides));
      before.push_back(fmt::format("{}", 1 << bits_[index(a)]));
      std::uint64_t most = 0;
      for (const std::uint64_t place : local_places(s)) most |= coordinate(s, a, place) ^ coordinate(s, a, 0);
      after.push_back(fmt::format("{}", std::bit_ceil(most + 1)));
    }
    return fmt::format(
               "    // Apply per-thread offset\n    //   before: shape ({}), strides s.{}\n    //   after: shape ({}), "
               "strides s.{}\n",
               fmt::join(before, ", "), s.strides, fmt::join(after, ", "), s.strides) +
           fmt::format("    {0}* const {2}_thread = {2} + {1};\n", s.source ? "const Element" : "Element",
                       fmt::join(terms, " + "), s.array);
  }
  std::string address(const GlobalSide& s, std::uint64_t place) const {
    std::vector<std::string> terms;
    const bool from_thread = additive(s);
    for (int a = 0; a < axis_count(); ++a) {
      if (from_thread) {
        const std::uint64_t c = coordinate(s, a, place) ^ coordinate(s, a, 0);
        if (c != 0)
          terms.push_back(a == s.fastest ? fmt::format("{}", c) : fmt::format("{} * s.{}[{}]", c, s.strides, a));
      } else {
        const std::string at = coordinate_text(s, a, place);
        terms.push_back(a == s.fastest ? at : fmt::format("{} * s.{}[{}]", at, s.strides, a));
      }
    }
    std::string out = from_thread ? s.array + "_thread" : s.array;
    for (const std::string& t : terms) out += " + " + t;
    return out;
  }
  std::string vector_of(const GlobalSide& s) const {
    const int bytes = access_bytes(s);
    if (map_.element_bits == 64) return bytes == 16 ? "ulonglong2" : "unsigned long long";
    return bytes == 16 ? "uint4" : bytes == 8 ? "uint2" : bytes == 4 ? "unsigned" : "unsigned short";
  }
  std::size_t register_of(std::uint64_t place) const { return place >> (map_.slots + map_.word_bits); }

  /// One vector: its elements have the run's bits of the place.
  std::string access_text(const GlobalSide& s, std::uint64_t place) const {
    const std::string type = vector_of(s);
    constexpr std::string_view parts = "xyzw";
    const int wide = std::max(map_.element_bits, 32);
    const int count = access_bytes(s) * 8 > wide ? access_bytes(s) * 8 / wide : 1;
    const auto part = [&](int n) { return count == 1 ? std::string("v") : fmt::format("v.{}", parts[index(n)]); };
    std::vector<std::string> words(index(count));
    std::string loads;
    for (std::uint64_t e = 0; e < bit(static_cast<int>(s.run.size())); ++e) {
      std::uint64_t at = place;
      for (std::size_t k = 0; k < s.run.size(); ++k)
        if (has(e, static_cast<int>(k))) at |= bit(s.run[k]);
      const std::size_t reg = register_of(at);
      const int slot = static_cast<int>(at & (bit(map_.slots) - 1)) * map_.element_bits;
      const int first = static_cast<int>(e) * map_.element_bits, word = first / wide, shift = first % wide;
      // A word that is a whole register.
      bool whole = map_.element_bits >= 32;
      if (!whole && (1 << map_.slots) * map_.element_bits == 32 && static_cast<int>(s.run.size()) >= map_.slots) {
        whole = true;
        for (int k = 0; k < map_.slots; ++k) whole = whole && s.run[index(k)] == k;
      }
      if (whole) {
        if (shift != 0) continue;
        loads += fmt::format(" x[{}] = {};", reg, part(word));
        words[index(word)] = fmt::format("y[{}]", reg);
        continue;
      }
      const std::uint32_t mask = static_cast<std::uint32_t>(bit(map_.element_bits) - 1);
      loads += fmt::format(" x[{}] |= ({} >> {} & {:#x}u) << {};", reg, part(word), shift, mask, slot);
      std::string& w = words[index(word)];
      w += fmt::format("{}(y[{}] >> {} & {:#x}u) << {}", w.empty() ? "" : " | ", reg, slot, mask, shift);
    }
    if (s.source)
      return fmt::format("    {{ const {0} v = __ldcs(reinterpret_cast<const {0}*>({1}));{2} }}\n", type,
                         address(s, place), loads);
    const std::string value = count > 1 ? fmt::format("make_{}({})", type, fmt::join(words, ", "))
                                        : fmt::format("static_cast<{}>({})", type, words[0]);
    return fmt::format("    __stcs(reinterpret_cast<{}*>({}), {});\n", type, address(s, place), value);
  }

  std::string one_by_one(const GlobalSide& s) const {
    std::vector<std::uint64_t> places;
    for (const std::uint64_t place : local_places(s))
      if (exists_at(s, place)) places.push_back(place);
    const std::size_t slots = std::size_t{1} << map_.slots;
    std::string out = "{\n    #pragma unroll\n";
    out += fmt::format("    for (int n = 0; n < {}; n++) {{\n", places.size());
    std::vector<std::string> inside, offsets;
    for (int a = 0; a < axis_count(); ++a) {
      std::vector<std::string> table;
      for (const std::uint64_t place : places)
        table.push_back(fmt::format("{}", coordinate(s, a, place) ^ coordinate(s, a, 0)));
      out += fmt::format("      constexpr unsigned short c{}[] = {{{}}};\n", a, fmt::join(table, ", "));
      out += fmt::format("      const long long e{0} = {1}{0} ^ c{0}[n];\n", a, s.array);
      inside.push_back(fmt::format("at{0} + e{0} < s.size[{0}]", a));
      offsets.push_back(fmt::format("e{0} * s.{1}[{0}]", a, s.strides));
    }
    std::vector<std::string> table;
    for (const std::uint64_t place : places)
      table.push_back(fmt::format("{}", register_of(place) * slots + (place & (slots - 1))));
    out += fmt::format("      constexpr unsigned short r[] = {{{}}};\n", fmt::join(table, ", "));
    out += fmt::format("      if ({})\n        ", fmt::join(inside, " && "));
    const std::string where = fmt::format("{}[{}]", s.array, fmt::join(offsets, " + "));
    if (s.source)
      out += slots == 1 ? fmt::format("x[r[n]] = {};\n", where)
                        : fmt::format("x[r[n] / {0}] |= static_cast<unsigned>({1}) << (r[n] % {0} * {2});\n", slots,
                                      where, map_.element_bits);
    else
      out += slots == 1 ? fmt::format("{} = static_cast<Element>(y[r[n]]);\n", where)
                        : fmt::format("{1} = static_cast<Element>(y[r[n] / {0}] >> (r[n] % {0} * {2}));\n", slots,
                                      where, map_.element_bits);
    return out + "    }\n  }\n";
  }

  const Conversion& c_;
  const PlaceMap& map_;
  GlobalKernel wanted_;
  std::vector<std::string> axes_;
  std::vector<int> bits_;                        ///< of each axis
  std::vector<std::pair<int, int>> coordinate_;  ///< axis and bit of each logical bit
  GlobalSide from_, to_;
  int threads_ = 0, tiles_of_a_block_ = 1;
};

}  // namespace

Expected<GlobalText> global_kernel(const Conversion& conversion, const GlobalKernel& wanted) {
  return GlobalWriter(conversion, wanted).write();
}

}  // namespace lanescope::convert
