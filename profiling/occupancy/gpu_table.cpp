#include "profiling/occupancy/gpu_table.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <array>
#include <bit>
#include <iterator>

#include "kernels/base/read_file.h"
#include "kernels/base/text.h"
#include "kernels/base/toml_table.h"
#include "kernels/resources/resources.h"

namespace lanescope::occupancy {
namespace {

/// One table of the file, read key by key; missing, mistyped, unknown keys and values out of range become diagnostics.
class Section {
 public:
  Section(const toml::table& table, std::string title, std::string_view file, Diagnostics& problems,
          bool absent = false)
      : reader_(table, std::string(file), 0, std::move(title)), file_(file), problems_(problems), absent_(absent) {}

  int integer(std::string_view key, int least = 1) { return needed(key, least, least); }
  /// 0 where the key is left out.
  std::int64_t optional_count(std::string_view key) {
    std::int64_t value = 0;
    reader_.read(key, value, 1);
    return value;
  }
  double optional_number(std::string_view key) { return has(key) ? number(key) : 0; }
  double number(std::string_view key) { return needed(key, 0.0); }
  bool flag(std::string_view key) { return needed(key, false); }
  std::string text(std::string_view key) { return needed(key, std::string()); }
  template <class T>
  std::vector<T> list(std::string_view key) {
    return needed(key, std::vector<T>());
  }
  bool has(std::string_view key) const { return reader_.has(key); }

  Section section(std::string_view key) {
    static const toml::table nothing;
    need(key);
    const toml::table* inner = reader_.read_table(key);
    return {inner == nullptr ? nothing : *inner, fmt::format("{} of {}", key, reader_.title()), file_, problems_,
            inner == nullptr};
  }
  void no_other_keys() { std::ranges::move(reader_.finish(), std::back_inserter(problems_)); }
  void wrong(std::string message) {
    if (!absent_) reader_.complain("", std::move(message), "correct the table of GPUs");
  }

 private:
  void need(std::string_view key) {
    if (!absent_) reader_.need(key);
  }
  template <class T, class... Bound>
  T needed(std::string_view key, T value, Bound... bound) {
    need(key);
    reader_.read(key, value, bound...);
    return value;
  }

  TomlTable reader_;
  std::string_view file_;
  Diagnostics& problems_;
  bool absent_;  ///< reported once; its keys are not reported one by one
};

Limits read_limits(Section s) {
  Limits l{.warp_lanes = s.integer("warp_lanes"),
           .threads_per_block = s.integer("threads_per_block"),
           .threads_per_multiprocessor = s.integer("threads_per_multiprocessor"),
           .warps_per_multiprocessor = s.integer("warps_per_multiprocessor"),
           .blocks_per_multiprocessor = s.integer("blocks_per_multiprocessor"),
           .barriers_per_multiprocessor = s.integer("barriers_per_multiprocessor", 0),
           .source = s.text("source")};
  if (l.warps_per_multiprocessor * l.warp_lanes != l.threads_per_multiprocessor)
    s.wrong("warps and threads per multiprocessor do not agree");
  s.no_other_keys();
  return l;
}

LaunchLimits read_launch(Section s) {
  LaunchLimits l{.block_x = s.integer("block_x"),
                 .block_y = s.integer("block_y"),
                 .block_z = s.integer("block_z"),
                 .grid_x = s.integer("grid_x"),
                 .grid_y = s.integer("grid_y"),
                 .grid_z = s.integer("grid_z"),
                 .constant_bytes = s.integer("constant_bytes"),
                 .source = s.text("source")};
  s.no_other_keys();
  return l;
}

DeviceMemory read_device_memory(Section s) {
  DeviceMemory m{.bytes = s.optional_count("bytes"),
                 .l2_bytes = static_cast<int>(s.optional_count("l2_bytes")),
                 .bus_bits = static_cast<int>(s.optional_count("bus_bits")),
                 .l2_bytes_per_cycle = static_cast<int>(s.optional_count("l2_bytes_per_cycle")),
                 .l2_gb_per_s = s.optional_number("l2_gb_per_s"),
                 .l2_source = s.has("l2_source") ? s.text("l2_source") : std::string(),
                 .source = s.text("source")};
  if (m.l2_gb_per_s > 0 && m.l2_source.empty()) s.wrong("`l2_source` is missing beside `l2_gb_per_s`");
  s.no_other_keys();
  return m;
}

RegisterFile read_registers(Section s) {
  RegisterFile r{
      .per_multiprocessor = s.integer("per_multiprocessor"),
      .per_block = s.integer("per_block"),
      .per_thread = s.integer("per_thread"),
      .allocation_unit = s.integer("allocation_unit"),
      .warp_allocation_granularity = s.integer("warp_allocation_granularity"),
      .must_also_fit_partitions = s.has("must_also_fit_partitions") ? s.integer("must_also_fit_partitions") : 0,
      .per_block_allocation = s.has("per_block_allocation") && s.flag("per_block_allocation"),
      .source = s.text("source")};
  s.no_other_keys();
  return r;
}

SharedMemory read_shared(Section s) {
  SharedMemory m{.per_multiprocessor_bytes = s.integer("per_multiprocessor_bytes"),
                 .per_block_bytes = s.integer("per_block_bytes"),
                 .opt_in_per_block_bytes = s.integer("opt_in_per_block_bytes"),
                 .allocation_unit_bytes = s.integer("allocation_unit_bytes"),
                 .reserved_per_block_bytes = s.integer("reserved_per_block_bytes", 0),
                 .l1_and_shared_bytes = s.integer("l1_and_shared_bytes", 0),
                 .split_falls_back_to_largest = s.flag("split_falls_back_to_largest"),
                 .source = s.text("source")};
  m.split_bytes = s.list<int>("split_bytes");
  if (!std::is_sorted(m.split_bytes.begin(), m.split_bytes.end())) s.wrong("the splits do not ascend");
  if (!m.split_bytes.empty() && m.split_bytes.back() != m.per_multiprocessor_bytes)
    s.wrong("the largest split is not the shared memory of the multiprocessor");
  s.no_other_keys();
  return m;
}

Multiprocessor read_multiprocessor(Section s) {
  Multiprocessor m{.partitions = s.integer("partitions"),
                   .fp32_lanes = s.integer("fp32_lanes"),
                   .fp64_ratio = s.integer("fp64_ratio", 0),
                   .source = s.text("source")};
  s.no_other_keys();
  return m;
}

Latency read_latency(Section s) {
  Latency l{.arithmetic_cycles = s.integer("arithmetic_cycles"),
            .memory_cycles = s.integer("memory_cycles"),
            .source = s.text("source")};
  s.no_other_keys();
  return l;
}

TextureLimits read_texture(Section s) {
  TextureLimits t{.width_1d = s.integer("width_1d"),
                  .width_2d = s.integer("width_2d"),
                  .height_2d = s.integer("height_2d"),
                  .width_3d = s.integer("width_3d"),
                  .height_3d = s.integer("height_3d"),
                  .depth_3d = s.integer("depth_3d"),
                  .layered_1d_width = s.integer("layered_1d_width"),
                  .layered_1d_layers = s.integer("layered_1d_layers"),
                  .layered_2d_width = s.integer("layered_2d_width"),
                  .layered_2d_height = s.integer("layered_2d_height"),
                  .layered_2d_layers = s.integer("layered_2d_layers"),
                  .memory_pitch_bytes = static_cast<int>(s.optional_count("memory_pitch_bytes")),
                  .alignment_bytes = static_cast<int>(s.optional_count("alignment_bytes")),
                  .source = s.text("source")};
  s.no_other_keys();
  return t;
}

ReadOnlyCaches read_read_only(Section s) {
  ReadOnlyCaches c{.per_multiprocessor = s.integer("per_multiprocessor"),
                   .bytes_each = s.integer("bytes_each"),
                   .source = s.text("source")};
  s.no_other_keys();
  return c;
}

/// "in order" and "segments"; left out: whole warps.
access::HalfWarps read_half_warps(Section& s) {
  if (!s.has("half_warps")) return access::HalfWarps::none;
  const std::string words = s.text("half_warps");
  if (words == "in order") return access::HalfWarps::in_order;
  if (words != "segments") s.wrong("`half_warps` is neither \"in order\" nor \"segments\"");
  return access::HalfWarps::segments;
}

MemoryModel read_memory(Section s) {
  MemoryModel m{
      .banks = s.integer("banks"),
      .bank_bytes = s.integer("bank_bytes"),
      .bank_cycles = s.has("bank_cycles") ? s.integer("bank_cycles") : 1,
      .quarter_warps_cost_one_more = s.has("quarter_warps_cost_one_more") && s.flag("quarter_warps_cost_one_more"),
      .shared_loads_merge = s.flag("shared_loads_merge"),
      .sector_bytes = s.integer("sector_bytes"),
      .line_bytes = s.integer("line_bytes"),
      .global_loads_in_l1 = s.flag("global_loads_in_l1"),
      .global_loads_in_l1_on_request = s.flag("global_loads_in_l1_on_request"),
      .cached_load_transaction_bytes = s.integer("cached_load_transaction_bytes"),
      .uncached_load_transaction_bytes = s.integer("uncached_load_transaction_bytes"),
      .replays = s.flag("replays"),
      .read_only_path = s.flag("read_only_path"),
      .read_only_query_bytes = s.integer("read_only_query_bytes", 0),
      .read_only_query_lanes = s.integer("read_only_query_lanes", 0),
      .half_warps = read_half_warps(s),
      .source = s.text("source")};
  for (const int figure : {m.banks, m.bank_bytes, m.sector_bytes, m.line_bytes, m.cached_load_transaction_bytes,
                           m.uncached_load_transaction_bytes, std::max(m.read_only_query_bytes, 1)})
    if (figure != 0 && !std::has_single_bit(static_cast<unsigned>(figure))) {
      s.wrong("banks and byte counts have to be powers of two");
      break;
    }
  if (m.banks > 32) s.wrong("more than 32 banks");
  s.no_other_keys();
  return m;
}

Arch read_arch(Section s) {
  Arch a{.name = s.text("name"),
         .generation = s.text("generation"),
         .limits = read_limits(s.section("limits")),
         .launch = read_launch(s.section("launch")),
         .registers = read_registers(s.section("registers")),
         .shared = read_shared(s.section("shared")),
         .multiprocessor = read_multiprocessor(s.section("multiprocessor")),
         .latency = read_latency(s.section("latency")),
         .memory = read_memory(s.section("memory"))};
  if (s.has("texture")) a.texture = read_texture(s.section("texture"));
  if (s.has("read_only")) a.read_only = read_read_only(s.section("read_only"));
  s.no_other_keys();
  return a;
}

Gpu read_gpu(Section s, const GpuTable& table) {
  Gpu g{.name = s.text("name")};
  if (s.has("aliases")) g.aliases = s.list<std::string>("aliases");
  const std::string arch = s.text("arch");
  const auto at = std::find_if(table.archs.begin(), table.archs.end(), [&](const Arch& a) { return a.name == arch; });
  if (at != table.archs.end())
    g.arch = *at;
  else
    s.wrong(fmt::format("`{}` names no architecture of this table", arch));
  g.multiprocessors = s.integer("multiprocessors");
  g.multiprocessor_clock_ghz = s.number("multiprocessor_clock_ghz");
  g.memory_clock_ghz = s.number("memory_clock_ghz");
  g.bandwidth_gb_per_s = s.number("bandwidth_gb_per_s");
  const std::string clock = s.text("latency_clock");
  if (clock == "memory")
    g.latency_clock = Clock::memory;
  else if (clock != "multiprocessor")
    s.wrong("`latency_clock` is neither \"multiprocessor\" nor \"memory\"");
  g.source = s.text("source");
  if (s.has("memory")) g.memory = read_device_memory(s.section("memory"));
  s.no_other_keys();
  return g;
}

// Names of architectures and GPUs as people, compilers and drivers write them.

/// Lower-case words of letters and digits; other characters separate them: "V100-SXM2" -> v100 sxm2.
std::vector<std::string> words(std::string_view text) {
  std::vector<std::string> out;
  bool inside = false;
  for (const char c : text) {
    const bool letter = is_letter(c) || is_digit(c);
    if (letter && !inside) out.emplace_back();
    if (letter) out.back() += lower(c);
    inside = letter;
  }
  return out;
}

/// Words that make another GPU of the name before them.
bool changes_the_gpu(std::string_view word) {
  static constexpr std::array<std::string_view, 13> others = {
      "laptop", "mobile", "d", "ti", "super", "pcie", "nvl", "mig", "max", "gh200", "dgx", "c", "80gb"};
  return std::find(others.begin(), others.end(), word) != others.end();
}

/// How many words of `name` the query spells, all of them in a row, or 0.
std::size_t matched_words(const std::vector<std::string>& query, const std::vector<std::string>& name) {
  const auto at = std::search(query.begin(), query.end(), name.begin(), name.end());
  if (at == query.end()) return 0;
  const bool other = std::any_of(at + static_cast<std::ptrdiff_t>(name.size()), query.end(), changes_the_gpu);
  return other ? 0 : name.size();
}

std::string digits_of_arch(std::string_view name) {
  for (const std::string_view prefix : {"sm_", "compute_", "sm", "cc"})
    if (name.starts_with(prefix)) {
      name.remove_prefix(prefix.size());
      break;
    }
  if (!name.empty() && (name.back() == 'a' || name.back() == 'f')) name.remove_suffix(1);  // "sm_90a", "sm_100f"
  std::string digits;
  for (const char c : name)
    if (c != '.') digits += c;
  return digits;
}

}  // namespace

Expected<GpuTable> parse_gpu_table(std::string_view text, std::string_view file) {
  const std::string name(file);
  const auto root = LS_TRY(parse_toml(text, name, 0, "write valid TOML"));
  Diagnostics problems;
  GpuTable table;
  TomlTable top(root, name, 0, "the table of GPUs");
  const auto each = [&](std::string_view key, auto&& read) {
    const auto tables = top.read_tables(key);
    if (tables.empty()) top.complain(key, fmt::format("no [[{}]] in the table of GPUs", key));
    for (const toml::table* t : tables)
      read(
          Section(*t, fmt::format("{} {}", key, (*t)["name"].value_or(std::string("without a name"))), file, problems));
  };
  each("arch", [&](Section s) { table.archs.push_back(read_arch(std::move(s))); });
  each("gpu", [&](Section s) { table.gpus.push_back(read_gpu(std::move(s), table)); });
  std::ranges::move(top.finish(), std::back_inserter(problems));
  if (!problems.empty()) return tl::unexpected<Diagnostics>(std::move(problems));
  return table;
}

const Expected<GpuTable>& gpu_table() {
  static const Expected<GpuTable> table = []() -> Expected<GpuTable> {
    const std::string path = (resources::assets_directory() / "gpus.toml").string();
    const auto text = read_file(path);
    if (!text)
      return failure(Diagnostic{.file = path,
                                .message = "the table of GPUs cannot be read",
                                .remedy = "set LANESCOPE_ASSETS to the folder with gpus.toml"});
    return parse_gpu_table(*text, path);
  }();
  return table;
}

Expected<Arch> GpuTable::arch(std::string_view name) const {
  const std::string digits = digits_of_arch(name);
  std::vector<std::string_view> known;
  for (const Arch& a : archs) {
    if (a.name == "sm_" + digits) return a;
    known.push_back(a.name);
  }
  return failure(fmt::format("the limits of architecture `{}` are not known", name),
                 fmt::format("known are {}", fmt::join(known, ", ")));
}

Expected<Gpu> GpuTable::gpu(std::string_view name) const {
  const std::vector<std::string> query = words(name);
  const Gpu* best = nullptr;
  std::size_t best_words = 0;
  std::vector<std::string_view> known;
  for (const Gpu& g : gpus) {
    known.push_back(g.name);
    const auto consider = [&](std::string_view spelled) {
      const std::size_t count = matched_words(query, words(spelled));
      if (count > best_words) best = &g, best_words = count;
    };
    consider(g.name);
    for (const std::string& alias : g.aliases) consider(alias);
  }
  if (best != nullptr) return *best;
  return failure(fmt::format("the GPU `{}` is not in the table", name),
                 fmt::format("known are {}", fmt::join(known, ", ")));
}

Expected<Arch> GpuTable::arch_of(std::string_view name) const {
  if (auto named = arch(name)) return named;
  if (auto named = gpu(name)) return std::move(named->arch);
  std::vector<std::string_view> names;
  for (const Arch& a : archs) names.push_back(a.name);
  return failure(
      fmt::format("there is neither an architecture nor a GPU '{}'", name),
      fmt::format("the architectures are {}; `lanescope occupancy --gpus` lists the GPUs", fmt::join(names, ", ")));
}

}  // namespace lanescope::occupancy
