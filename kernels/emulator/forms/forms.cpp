// Patterns and their instances, and what the decoder says about each.

#include "kernels/emulator/forms/forms.h"

#include <algorithm>
#include <charconv>
#include <map>
#include <optional>
#include <set>

#include "kernels/base/text.h"
#include "kernels/emulator/decode/decode.h"
#include "kernels/ptx/names.h"

namespace lanescope::emulator {

namespace {

constexpr std::size_t most_instances = 4096;  // of one pattern

std::size_t bits_of_name(std::string_view name) { return static_cast<std::size_t>(ptx::bits_of(ptx::type_of(name))); }

struct Expansion {
  std::string text;
  std::vector<std::string_view> taken;
};

void replace_references(Expansion& e) {
  std::string out;
  for (std::size_t i = 0; i < e.text.size(); ++i) {
    const char c = e.text[i];
    const bool reference = (c == '$' || c == '#') && i + 1 < e.text.size() && is_digit(e.text[i + 1]);
    const std::size_t which = reference ? static_cast<std::size_t>(e.text[i + 1] - '1') : 0;
    if (!reference || which >= e.taken.size()) {
      out += c;
      continue;
    }
    ++i;
    out += c == '$' ? std::string(e.taken[which]) : std::to_string(bits_of_name(e.taken[which]));
  }
  e.text = std::move(out);
}

/// "{%wd*3}" becomes "{%wd0, %wd1, %wd2}".
void write_out_lists(std::string& text) {
  for (std::size_t at = text.find('*'); at != std::string::npos; at = text.find('*', at)) {
    const std::size_t open = text.rfind('{', at), close = text.find('}', at);
    int count = 0;
    std::from_chars(text.data() + at + 1, text.data() + close, count);
    const std::string name = text.substr(open + 1, at - open - 1);
    std::string list;
    for (int i = 0; i < count; ++i) list += (i != 0 ? ", " : "") + name + std::to_string(i);
    text.replace(open + 1, close - open - 1, list);
    at = open + 1;
  }
}

std::string_view last_statement(std::string_view instance) {
  const std::size_t end = instance.rfind(';');
  if (end != std::string_view::npos) instance.remove_prefix(end + 1);
  instance = without_indent(instance);
  if (instance.starts_with('@')) {
    instance.remove_prefix(std::min(instance.find(' '), instance.size()));
    instance = without_indent(instance);
  }
  return instance;
}

}  // namespace

std::vector<std::string> instances(const Form& form) {
  std::vector<Expansion> all{{}};
  std::string_view left = form.pattern;
  while (!left.empty()) {
    const std::size_t open = left.find('<');
    const std::string_view plain = left.substr(0, open);
    for (Expansion& e : all) e.text += plain;
    if (open == std::string_view::npos) break;
    const std::size_t close = left.find('>', open);
    std::string_view choices = left.substr(open + 1, close - open - 1);
    left.remove_prefix(close + 1);
    std::vector<Expansion> longer;
    for (bool more = true; more;) {
      const std::size_t bar = choices.find('|');
      more = bar != std::string_view::npos;
      const std::string_view choice = choices.substr(0, bar);
      for (const Expansion& e : all) {
        if (longer.size() == most_instances) break;
        longer.push_back(e);
        longer.back().text += choice;
        longer.back().taken.push_back(choice);
      }
      if (more) choices.remove_prefix(bar + 1);
    }
    all = std::move(longer);
  }
  std::vector<std::string> out;
  for (Expansion& e : all) {
    replace_references(e);
    write_out_lists(e.text);
    out.push_back(std::move(e.text));
  }
  return out;
}

std::string_view opcode_of(std::string_view instance) {
  const std::string_view last = last_statement(instance);
  return last.substr(0, last.find(' '));
}

std::string_view mnemonic_of(std::string_view instance) {
  const std::string_view opcode = opcode_of(instance);
  return opcode.substr(0, opcode.find('.'));
}

std::string module_of_instances(std::span<const std::string> statements, std::string_view target) {
  std::string text = ".version 9.0\n.target " + std::string(target) + R"(
.address_size 64
.const .align 16 .b8 const_bytes[64]; .global .texref tex; .global .surfref srf;
.func (.param .b32 r) callee(.param .b32 x) { ret; }
.func (.reg .b32 r) in_registers(.reg .b32 x) { mov.b32 r, x; ret; }
.extern .func (.param .b32 r) vprintf(.param .b64 format, .param .b64 values);
.visible .entry instances(.param .u64 p0)
{
.reg .b8 %d8, %a8; .reg .b16 %d16, %e16, %f16, %g16, %a16, %b16, %c16;
.reg .b32 %d32, %e32, %f32, %g32, %a32, %b32, %c32, %x32, %y32, %s32, %m32;
.reg .b64 %d64, %e64, %f64, %g64, %a64, %b64, %c64, %s64, %l64, %n64, %gd64; .reg .b128 %d128, %a128, %b128;
.reg .pred %p, %q, %pa, %pb; .reg .v4 .b32 %v4; .reg .v2 .b64 %v2;
.reg .b32 %wd<130>, %wa<40>, %wb<20>, %wc<40>; .reg .b64 %ld<10>, %la<10>, %lb<10>, %lc<10>; .reg .b16 %ha<10>;
.reg .b32 %h<9>; .shared .align 128 .b8 shared_bytes[4096]; .local .align 16 .b8 local_bytes[256];
{ .param .b32 ca; .param .b32 cr;
there: targets: .branchtargets there, after;
functions: .calltargets callee;
prototype: .callprototype (.param .b32 _) _ (.param .b32 _);

)";
  for (const std::string& s : statements) text += s + ";\n";
  return text + "}\nafter: ret;\n}\n";
}

std::span<const Form> forms() {
  static const std::vector<Form> all = [] {
    std::vector<Form> out;
    for (const auto table :
         {integer_forms(), float_forms(), conversion_forms(), move_forms(), video_forms(), memory_forms(), warp_forms(),
          barrier_forms(), control_forms(), matrix_forms(), warpgroup_forms(), refused_forms()})
      out.insert(out.end(), table.begin(), table.end());
    return out;
  }();
  return all;
}

Coverage::Status Coverage::status() const {
  if (instances == executed) return instances == 0 ? Status::none : Status::covered;
  const bool all_listed = std::ranges::all_of(gaps, &Gap::listed);
  if (executed == 0) return all_listed ? Status::refused : Status::none;
  return Status::partly;
}

std::vector<std::string> refusals(std::span<const std::string> statements, std::string_view target) {
  std::vector<std::string> out(statements.size());
  auto module = ptx::parse(module_of_instances(statements, target));
  if (!module) {
    if (statements.size() == 1) {
      out[0] = module.error().front().message;
      return out;
    }
    for (std::size_t i = 0; i < statements.size(); ++i) out[i] = refusals(statements.subspan(i, 1), target)[0];
    return out;
  }
  trace::Launch launch;
  launch.kernel = "instances";
  launch.arguments = {trace::ValueArgument(8)};
  const auto program = decode(*module, launch, {});
  if (!program) return std::vector<std::string>(statements.size(), program.error().front().message);
  for (std::size_t i = 0; i < program->ops.size(); ++i) {
    const ptx::Instruction* const instruction = program->instruction_of(static_cast<u32>(i));
    if (instruction == nullptr || program->origins[i].function != 0) continue;
    const RefusedOp* const refused = program->refused_at(static_cast<u32>(i));
    const int at = instruction->text_line - first_instance_line;
    if (refused != nullptr && at >= 0 && static_cast<std::size_t>(at) < out.size())
      out[static_cast<std::size_t>(at)] = refused->message;
  }
  return out;
}

std::vector<Coverage> coverage(std::span<const AcceptedForm> accepted) {
  std::map<std::string_view, Coverage> by_name;
  for (const std::string_view name : mnemonics()) by_name[name].mnemonic = name;
  std::set<std::string, std::less<>> of_table;
  for (const Form& form : forms()) {
    const std::vector<std::string> all = instances(form);
    const std::vector<std::string> why = refusals(all, form.target);
    for (std::size_t i = 0; i < all.size(); ++i) {
      Coverage& c = by_name[mnemonic_of(all[i])];
      of_table.emplace(last_statement(all[i]));
      ++c.instances;
      if (why[i].empty())
        ++c.executed;
      else
        c.gaps.push_back({std::string(last_statement(all[i])),
                          form.refused.empty() ? why[i] : std::string(form.refused), !form.refused.empty()});
      if (!form.test.empty() && std::ranges::find(c.tests, form.test) == c.tests.end()) c.tests.push_back(form.test);
    }
  }
  std::map<std::string_view, std::vector<std::string>> others;  // by target
  for (const AcceptedForm& f : accepted)
    if (!of_table.contains(f.instance)) others[f.target].push_back(f.instance);
  for (const auto& [target, statements] : others) {
    const std::vector<std::string> why = refusals(statements, target);
    for (std::size_t i = 0; i < statements.size(); ++i) {
      Coverage& c = by_name.at(mnemonic_of(statements[i]));
      ++c.instances;
      const std::string_view named = refused_by_name(statements[i]);
      if (why[i].empty())
        ++c.executed;
      else
        c.gaps.push_back({statements[i], named.empty() ? why[i] : std::string(named), !named.empty()});
    }
  }
  std::vector<Coverage> out;
  for (const std::string_view name : mnemonics()) out.push_back(std::move(by_name[name]));
  return out;
}

std::span<const std::string_view> mnemonics() {
  static constexpr std::string_view all[] = {
      "abs",          "activemask",    "add",       "addc",       "alloca",
      "and",          "applypriority", "atom",      "bar",        "barrier",
      "bfe",          "bfi",           "bfind",     "bmsk",       "bra",
      "brev",         "brkpt",         "brx",       "call",       "clusterlaunchcontrol",
      "clz",          "cnot",          "copysign",  "cos",        "cp",
      "createpolicy", "cvt",           "cvta",      "discard",    "div",
      "dp2a",         "dp4a",          "elect",     "ex2",        "exit",
      "fence",        "fma",           "fns",       "getctarank", "griddepcontrol",
      "isspacep",     "istypep",       "ld",        "ldmatrix",   "ldu",
      "lg2",          "lop3",          "mad",       "mad24",      "madc",
      "mapa",         "match",         "max",       "mbarrier",   "membar",
      "min",          "mma",           "mov",       "movmatrix",  "mul",
      "mul24",        "multimem",      "nanosleep", "neg",        "not",
      "or",           "pmevent",       "popc",      "prefetch",   "prefetchu",
      "prmt",         "rcp",           "red",       "redux",      "rem",
      "ret",          "rsqrt",         "sad",       "selp",       "set",
      "setmaxnreg",   "setp",          "shf",       "shfl",       "shl",
      "shr",          "sin",           "slct",      "sqrt",       "st",
      "stackrestore", "stacksave",     "stmatrix",  "sub",        "subc",
      "suld",         "suq",           "sured",     "sust",       "szext",
      "tanh",         "tcgen05",       "tensormap", "testp",      "tex",
      "tld4",         "trap",          "txq",       "vabsdiff",   "vabsdiff2",
      "vabsdiff4",    "vadd",          "vadd2",     "vadd4",      "vavrg2",
      "vavrg4",       "vmad",          "vmax",      "vmax2",      "vmax4",
      "vmin",         "vmin2",         "vmin4",     "vote",       "vset",
      "vset2",        "vset4",         "vshl",      "vshr",       "vsub",
      "vsub2",        "vsub4",         "wgmma",     "wmma",       "xor"};
  return all;
}

}  // namespace lanescope::emulator
