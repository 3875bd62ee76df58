// A bare PTX file has no C++ signature and no comments to take a launch from. It is given a stand-in: a kernel of the
// same name with a parameter of a fitting C++ type for each of the entry's, below the launch text as its header. Reading
// that like any other file makes the same checks and the same inferences.

#include "app/engine/prepare/prepare.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <set>
#include <utility>

#include "kernels/base/byte_order_mark.h"
#include "kernels/base/text.h"
#include "kernels/base/toml_table.h"
#include "kernels/source/data/number_format.h"

namespace lanescope::engine {
namespace {

bool has_table(std::string_view launch_text) {
  return std::ranges::any_of(split_lines(launch_text),
                             [](std::string_view line) { return trimmed(line).starts_with("[lanescope]"); });
}

/// A launch text without a line [lanescope] is one from its beginning: keys at its top are those of that table. Mistakes
/// in it are left to the reader of the header.
class LaunchText {
 public:
  explicit LaunchText(const std::string& text) {
    auto root = parse_toml(text, {}, 0, "");
    if (!root) return;
    root_ = std::move(*root);
    main_ = has_table(text) ? root_["lanescope"].as_table() : &root_;
  }

  /// Whether any launch lists its arguments.
  bool lists_arguments() const {
    if (main_ != nullptr && main_->contains("args")) return true;
    const toml::array* launches = root_["launch"].as_array();
    return launches != nullptr && std::ranges::any_of(*launches, [](const toml::node& node) {
             return node.is_table() && node.as_table()->contains("args");
           });
  }

  /// Its statements about a kernel's parameters.
  struct Stated {
    std::map<std::size_t, bool> pointers;  ///< by position: a buffer, else a number or bits
    std::set<std::size_t> named;           ///< positions that it gives by the name that the PTX has
  };
  Stated stated(const ptx::Entry& entry) const {
    const toml::node* args = main_ ? main_->get("args") : nullptr;
    const std::string main_kernel = main_ ? (*main_)["kernel"].value_or(entry.name) : entry.name;
    if (main_kernel != entry.name) args = nullptr;
    if (const toml::array* launches = root_["launch"].as_array())
      for (const toml::node& node : *launches) {
        const toml::table* launch = node.as_table();
        if (!launch || (*launch)["kernel"].value_or(main_kernel) != entry.name) continue;
        if (const toml::node* own = launch->get("args")) args = own;
      }
    Stated out;
    const auto is_buffer = [](const toml::node& n) {
      return n.is_string() && !source::is_exact_bits(*n.value<std::string>());
    };
    if (args != nullptr && args->is_array())
      for (const toml::node& arg : *args->as_array()) out.pointers.emplace(out.pointers.size(), is_buffer(arg));
    if (args != nullptr && args->is_table())
      for (std::size_t i = 0; i < entry.params.size(); ++i)
        if (const toml::node* arg = args->as_table()->get(entry.params[i].name)) {
          out.named.insert(i);
          out.pointers.emplace(i, is_buffer(*arg));
        }
    return out;
  }

 private:
  toml::table root_;
  const toml::table* main_ = nullptr;
};

/// Parameters whose value, or a sum with it, is used as an address. An index is multiplied or shifted on its way there.
std::set<int> pointer_parameters(const ptx::Entry& entry) {
  std::vector<int> origin(entry.registers.size(), -1);
  const auto origin_of = [&](const ptx::Operand& o) {
    return o.kind == ptx::Operand::Kind::reg && o.reg >= 0 ? origin[static_cast<std::size_t>(o.reg)] : -1;
  };
  std::set<int> pointers;
  for (int pass = 0; pass < 2; ++pass)  // once more for registers that a loop carries
    for (const ptx::Instruction& i : entry.code) {
      for (const ptx::Operand& o : i.operands)
        if (o.kind == ptx::Operand::Kind::address && o.reg >= 0 && origin[static_cast<std::size_t>(o.reg)] >= 0)
          pointers.insert(origin[static_cast<std::size_t>(o.reg)]);
      if (i.operands.size() < 2 || i.operands[0].kind != ptx::Operand::Kind::reg || i.operands[0].reg < 0) continue;
      int& result = origin[static_cast<std::size_t>(i.operands[0].reg)];
      const ptx::Operand& first = i.operands[1];
      if (i.opcode == "ld" && i.has("param") && first.symbol_scope == ptx::Operand::Scope::param)
        result = first.symbol;
      else if (i.opcode == "mov" || i.opcode == "cvta")
        result = origin_of(first);
      else if (i.opcode == "add")
        result = std::max(origin_of(first), i.operands.size() > 2 ? origin_of(i.operands[2]) : -1);
      if (i.opcode == "cvta" && result >= 0) pointers.insert(result);
    }
  return pointers;
}

std::string scalar_type(const ptx::Param& param) {
  using ptx::Type;
  static constexpr std::pair<Type, const char*> types[] = {{Type::f32, "float"},
                                                           {Type::f64, "double"},
                                                           {Type::s32, "int"},
                                                           {Type::s64, "long long"},
                                                           {Type::s16, "short"},
                                                           {Type::u64, "unsigned long long"},
                                                           {Type::u16, "unsigned short"},
                                                           {Type::b64, "unsigned long long"},
                                                           {Type::b16, "unsigned short"}};
  if (param.type == Type::u8 || param.type == Type::b8) return param.bytes == 1 ? "unsigned char" : "Struct";
  const auto* const found = std::ranges::find(types, param.type, &std::pair<Type, const char*>::first);
  return found == std::end(types) ? "unsigned int" : found->second;
}

/// `pointer_names`: for pointers in order, so that buffers reach them by name when the header lists no arguments.
std::string signature(const ptx::Entry& entry, const std::vector<std::string>& pointer_names,
                      const LaunchText::Stated& stated) {
  std::set<int> pointers = pointer_parameters(entry);
  for (const auto& [i, is_pointer] : stated.pointers) {
    if (is_pointer)
      pointers.insert(static_cast<int>(i));
    else
      pointers.erase(static_cast<int>(i));
  }
  std::string parameters;
  std::size_t named = 0;
  for (std::size_t i = 0; i < entry.params.size(); ++i) {
    const bool pointer = pointers.contains(static_cast<int>(i)) && entry.params[i].bytes == 8;
    const std::string name = stated.named.contains(i)                  ? entry.params[i].name
                             : pointer && named < pointer_names.size() ? pointer_names[named]
                                                                       : fmt::format("param_{}", i);
    named += pointer;
    parameters += fmt::format("{}{} {}{}", i ? ", " : "", pointer ? "float" : scalar_type(entry.params[i]),
                              pointer ? "*" : "", name);
  }
  const bool is_bounded = entry.max_threads[0] > 0 || entry.required_threads[0] > 0;
  const std::array<int, 3>& bound = entry.required_threads[0] > 0 ? entry.required_threads : entry.max_threads;
  const std::string bounds = is_bounded
                                 ? fmt::format("__launch_bounds__({}) ",
                                               std::int64_t{bound[0]} * std::max(bound[1], 1) * std::max(bound[2], 1))
                                 : std::string();
  return fmt::format("extern \"C\" __global__ void {}{}({}) {{}}\n", bounds, entry.name, parameters);
}

/// The launch text as the stand-in's first comment: `//` before each line, so that no text ends it.
constexpr std::string_view comment_mark = "// ";

struct HeaderComment {
  std::string text;
  int extra_lines = 0;  ///< before the launch text's own first line
};

HeaderComment header_comment(std::string_view launch_text) {
  HeaderComment out;
  if (launch_text.empty()) return out;
  if (!has_table(launch_text)) {
    out.text = fmt::format("{}[lanescope]\n", comment_mark);
    out.extra_lines = 1;
  }
  for (const std::string_view line : split_lines(launch_text)) out.text += fmt::format("{}{}\n", comment_mark, line);
  out.text += '\n';
  return out;
}

/// From a place in the stand-in to the place in the launch text.
void move(int& line, int& column, int extra_lines) {
  if (line > extra_lines) line -= extra_lines;
  column = std::max(column - static_cast<int>(comment_mark.size()), 0);
}
void move(int& line, int extra_lines) {
  int column = 0;
  move(line, column, extra_lines);
}

Diagnostics moved(Diagnostics errors, int extra_lines) {
  for (Diagnostic& d : errors) move(d.line, d.column, extra_lines);
  return errors;
}

/// `file`: that the launches are in, where it is not the one with the kernels.
void move(source::Header& header, int extra_lines, const std::string& file) {
  const auto to_text = [&](source::TextPlace& place) { move(place.line, place.column, extra_lines); };
  for (source::LaunchSpec& launch : header.launches) {
    source::LaunchPlaces& places = launch.places;
    for (source::TextPlace* place :
         {&places.kernel, &places.grid, &places.block, &places.cluster, &places.shared, &places.arguments})
      to_text(*place);
    for (source::ArgumentSpec& argument : launch.arguments) to_text(argument.place);
    move(launch.line, extra_lines);
  }
  for (source::StreamOperation& o : header.streams) move(o.line, extra_lines), o.file = file;
  for (source::TextPlace& place : header.compile.option_places) to_text(place);
  for (source::BufferSpec& b : header.buffers) {
    move(b.line, b.column, extra_lines);
    move(b.initial.line, b.initial.column, extra_lines);
    if (b.expected) move(b.expected->line, b.expected->column, extra_lines);
  }
}

/// The block sizes that entries state: exactly `.reqntid`, at most `.maxntid`.
std::vector<source::KernelBlock> stated_blocks(const std::vector<const ptx::Entry*>& kernels) {
  std::vector<source::KernelBlock> out;
  const auto add = [&](const ptx::Entry& e, const std::array<int, 3>& extents, const char* directive) {
    if (extents[0] <= 0) return false;
    source::KernelBlock& b = out.emplace_back();
    b.kernel = e.name, b.because = directive;
    for (std::size_t i = 0; i < 3; ++i) b.block[i] = static_cast<std::uint32_t>(std::max(extents[i], 1));
    return true;
  };
  for (const ptx::Entry* e : kernels)
    if (!add(*e, e->required_threads, ".reqntid")) add(*e, e->max_threads, ".maxntid");
  return out;
}

}  // namespace

Expected<source::Source> source_of_ptx(const RunRequest& request, const ptx::Module& module) {
  std::vector<const ptx::Entry*> kernels;
  for (const ptx::Entry& e : module.entries)
    if (!e.is_function) kernels.push_back(&e);
  if (kernels.empty())
    return failure({.file = request.file, .message = "this PTX file has no kernel", .remedy = "it needs an .entry"});

  const std::string launch_text(without_byte_order_mark(request.launch_text));
  const HeaderComment header = header_comment(launch_text);
  const std::string file = request.launch_file.empty() ? request.file : request.launch_file;
  std::vector<std::string> variables;
  for (const ptx::Variable& v : module.variables)
    if (v.space == ptx::Space::global || v.space == ptx::Space::constant) variables.push_back(v.name);
  const source::ReadOptions how{.watch_probes = false,
                                .blocks = stated_blocks(kernels),
                                .variables = std::move(variables),
                                .kernel = request.kernel,
                                .lists_are_whole = true};

  const LaunchText launch(launch_text);
  std::vector<std::string> names;
  if (!launch.lists_arguments()) {
    const auto buffers_only = source::read(file, header.text, how);
    if (!buffers_only) return tl::unexpected(moved(buffers_only.error(), header.extra_lines));
    for (const source::BufferSpec& b : buffers_only->header.buffers) names.push_back(b.name);
  }
  std::string text = header.text;
  for (const ptx::Entry* kernel : kernels) text += signature(*kernel, names, launch.stated(*kernel));
  auto source = source::read(file, text, how);
  if (!source) return tl::unexpected(moved(source.error(), header.extra_lines));
  move(source->header, header.extra_lines, request.launch_file);
  source->notes = moved(std::move(source->notes), header.extra_lines);
  return source;
}

}  // namespace lanescope::engine
