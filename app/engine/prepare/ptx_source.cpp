// A bare PTX file has no C++ signature and no comments to take a launch from. It is given a stand-in: a kernel of the
// same name with a parameter of a fitting C++ type for each of the entry's, below the launch text as its header. Reading
// that like any other file makes the same checks and the same inferences.

#include "app/engine/prepare/ptx_source.h"

#include <fmt/format.h>

#include <algorithm>
#include <set>

#include <toml++/toml.h>

#include "kernels/base/byte_order_mark.h"

namespace lanescope::engine {
namespace {

/// What a launch text says of a kernel's parameters by position: a buffer (a text) or a number. Mistakes in the text are
/// left to whoever reads it as a header.
std::vector<bool> stated_pointers(const std::string& launch_text, const std::string& kernel) {
  toml::table root;
  try {
    root = toml::parse(launch_text);
  } catch (const toml::parse_error&) {
    return {};
  }
  const toml::array* args = root["lanescope"]["args"].as_array();
  const std::string main_kernel = root["lanescope"]["kernel"].value_or(kernel);
  if (main_kernel != kernel) args = nullptr;
  if (const toml::array* launches = root["launch"].as_array())
    for (const toml::node& node : *launches) {
      const toml::table* launch = node.as_table();
      if (!launch || (*launch)["kernel"].value_or(main_kernel) != kernel) continue;
      if (const toml::array* own = (*launch)["args"].as_array()) args = own;
    }
  std::vector<bool> pointers;
  if (args)
    for (const toml::node& arg : *args) pointers.push_back(arg.is_string());
  return pointers;
}

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
  switch (param.type) {
    case ptx::Type::f32:
      return "float";
    case ptx::Type::f64:
      return "double";
    case ptx::Type::s32:
      return "int";
    case ptx::Type::s64:
      return "long long";
    case ptx::Type::u64:
    case ptx::Type::b64:
      return "unsigned long long";
    case ptx::Type::u16:
    case ptx::Type::b16:
      return "unsigned short";
    case ptx::Type::s16:
      return "short";
    case ptx::Type::u8:
    case ptx::Type::b8:
      return param.bytes == 1 ? "unsigned char" : "Struct";
    default:
      return "unsigned int";
  }
}

/// `pointer_names`: for pointers in order, so that buffers reach them by name when the header lists no arguments.
std::string signature(const ptx::Entry& entry, const std::vector<std::string>& pointer_names,
                      const std::vector<bool>& stated) {
  std::set<int> pointers = pointer_parameters(entry);
  for (std::size_t i = 0; i < stated.size(); ++i) {
    if (stated[i])
      pointers.insert(static_cast<int>(i));
    else
      pointers.erase(static_cast<int>(i));
  }
  std::string parameters;
  std::size_t named = 0;
  for (std::size_t i = 0; i < entry.params.size(); ++i) {
    const bool pointer = pointers.contains(static_cast<int>(i)) && entry.params[i].bytes == 8;
    const std::string name =
        pointer && named < pointer_names.size() ? pointer_names[named] : fmt::format("param_{}", i);
    named += pointer;
    parameters += fmt::format("{}{} {}{}", i ? ", " : "", pointer ? "float" : scalar_type(entry.params[i]),
                              pointer ? "*" : "", name);
  }
  return fmt::format("extern \"C\" __global__ void {}({}) {{}}\n", entry.name, parameters);
}

/// By the line that stands before a launch text without a table.
void move_up(source::Header& header) {
  const auto up = [](int& line) { line -= line > 1; };
  for (source::LaunchSpec& launch : header.launches) up(launch.line);
  for (source::BufferSpec& b : header.buffers) {
    up(b.line), up(b.initial.line);
    if (b.expected) up(b.expected->line);
  }
}

}  // namespace

Expected<source::Source> source_of_ptx(const RunRequest& request, const ptx::Module& module) {
  std::vector<const ptx::Entry*> kernels;
  for (const ptx::Entry& e : module.entries)
    if (!e.is_function) kernels.push_back(&e);
  if (kernels.empty())
    return failure({.file = request.file, .message = "this PTX file has no kernel", .remedy = "it needs an .entry"});

  // The header starts on the launch text's first line, so that diagnostics keep its line numbers.
  const std::string launch_text(without_byte_order_mark(request.launch_text));
  const bool has_table = launch_text.find("[lanescope]") != std::string::npos;
  const std::string header = request.launch_text.empty() ? std::string()
                             : has_table                 ? "/*" + launch_text + "\n*/\n"
                                                         : "/*[lanescope]\n" + launch_text + "\n*/\n";
  const std::string file = request.launch_file.empty() ? request.file : request.launch_file;
  const auto mend = [&](Diagnostics errors) {
    for (Diagnostic& d : errors) {
      if (!has_table && d.line > 1)
        --d.line;
      else if (d.line == 1)
        d.column = 0;
    }
    return errors;
  };

  std::vector<std::string> names;
  if (request.launch_text.find("args") == std::string::npos) {
    const auto buffers_only = source::read(file, header, {.watch_probes = false});
    if (!buffers_only) return tl::unexpected(mend(buffers_only.error()));
    for (const source::BufferSpec& b : buffers_only->header.buffers) names.push_back(b.name);
  }
  std::string text = header;
  for (const ptx::Entry* kernel : kernels)
    text += signature(*kernel, names, stated_pointers(request.launch_text, kernel->name));
  auto source = source::read(file, text, {.watch_probes = false});
  if (!source) return tl::unexpected(mend(source.error()));
  if (!has_table) move_up(source->header);
  return source;
}

}  // namespace lanescope::engine
