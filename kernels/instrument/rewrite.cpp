#include "kernels/instrument/rewrite.h"

#include <algorithm>
#include <map>

#include <fmt/format.h>

#include "kernels/ptx/target.h"

namespace lanescope::instrument {

using ptx::Operand;

namespace {

enum class What : std::uint8_t { accesses, probes };

constexpr const char* mark = "lanescope.piece";

/// The module with marks where pieces go, and the pieces. Marks are instructions of a made-up opcode: the printer gives
/// each a line of its own, which is replaced by its piece.
class Rewriter {
 public:
  Rewriter(const ptx::Module& module, int kernel, What what)
      : original_(module), out_(module), kernel_(kernel), what_(what) {}

  Rewritten run() {
    functions_ = reached_functions(original_, kernel_);
    std::erase_if(functions_, [&](int f) { return original_.entries[static_cast<std::size_t>(f)].is_declaration; });
    for (const int f : functions_) woven_[f] = f;
    if (launches_kernels())
      weave_copies();
    else
      empty_other_kernels();
    description_.kernel = original_.entries[static_cast<std::size_t>(kernel_)].name;
    description_.first_shared = ptx::first_shared_address(original_);
    find_points();
    make_slots();
    if (functions_.size() > 1) add_variable();
    for (const int f : functions_) weave(f);
    return {with_pieces(ptx::to_string(out_)), std::move(description_)};
  }

 private:
  struct Place {
    Point point;
    std::uint32_t site = 0;
  };
  using Places = std::map<int, std::vector<Place>>;  ///< by instruction of the function

  bool launches_kernels() const;
  void weave_copies();
  void empty_other_kernels();
  void find_points();
  std::vector<Point> points_at(const ptx::Entry& e, int instruction);
  void make_slots();
  void add_variable();
  void weave(int function);
  std::string with_pieces(const std::string& text) const;

  const ptx::Module& original_;
  ptx::Module out_;
  int kernel_;
  What what_;
  std::vector<int> functions_;
  std::map<int, int> woven_;      ///< of each of them: where it is in `out_`
  std::map<int, Places> places_;  ///< by function
  std::vector<std::string> pieces_;
  Description description_;
};

/// Whether any of the code takes the address of a kernel.
bool Rewriter::launches_kernels() const {
  return std::ranges::any_of(functions_, [&](int f) {
    return std::ranges::any_of(original_.entries[static_cast<std::size_t>(f)].code, [&](const ptx::Instruction& i) {
      return std::ranges::any_of(i.operands, [&](const Operand& o) {
        return o.kind == Operand::Kind::symbol && o.symbol_scope == Operand::Scope::function &&
               !original_.entries[static_cast<std::size_t>(o.symbol)].is_function;
      });
    });
  });
}

/// A child kernel must not record, and has no parameter for the buffer, even if it is the kernel itself. So
/// everything stays as it was, the kernel under another name, and copies after it record: addresses of kernels lead to
/// what does not, calls to functions that do.
void Rewriter::weave_copies() {
  std::vector<int> ascending = functions_;
  std::ranges::sort(ascending);
  for (const int f : ascending) {
    woven_[f] = static_cast<int>(out_.entries.size());
    out_.entries.push_back(original_.entries[static_cast<std::size_t>(f)]);
    std::string& other = f == kernel_ ? out_.entries[static_cast<std::size_t>(f)].name : out_.entries.back().name;
    other += f == kernel_ ? "_launched" : "_recording";
    while (std::ranges::count(out_.entries, other, &ptx::Entry::name) > 1) other += '_';
  }
  const auto lead = [&](auto& self, Operand& o) -> void {
    if (o.symbol_scope == Operand::Scope::function && o.symbol != kernel_)
      if (const auto at = woven_.find(o.symbol); at != woven_.end()) o.symbol = at->second;
    for (Operand& element : o.elements) self(self, element);
  };
  for (const auto& [f, copy] : woven_)
    for (ptx::Instruction& i : out_.entries[static_cast<std::size_t>(copy)].code)
      for (Operand& o : i.operands) lead(lead, o);
}

/// A driver compiles all kernels of a module that it loads, and only this one is launched.
void Rewriter::empty_other_kernels() {
  for (std::size_t i = 0; i < out_.entries.size(); ++i) {
    ptx::Entry& e = out_.entries[i];
    if (e.is_function || e.is_declaration || static_cast<int>(i) == kernel_) continue;
    e.code = {ptx::Instruction{.opcode = "ret"}};
    e.registers.clear(), e.variables.clear(), e.probes.clear(), e.labels.clear(), e.branch_tables.clear();
    e.prototypes.clear(), e.call_params.clear();
    e.call_param_bytes = 0;
  }
}

std::vector<Point> Rewriter::points_at(const ptx::Entry& e, int instruction) {
  const ptx::Instruction& i = e.code[static_cast<std::size_t>(instruction)];
  if (what_ == What::accesses) {
    if (is_silent_access(i))
      description_.silent.push_back(fmt::format("{} at PTX line {}", ptx::to_string(i, e, original_), i.text_line));
    return traced_points(i);
  }
  const auto probe = std::ranges::find(e.probes, instruction, &ptx::Probe::instruction);
  if (probe == e.probes.end()) return {};
  Point p;
  p.site.kind = Site::Kind::probe;
  p.site.probe = probe->id;
  p.site.variable = probe->variable;
  p.site.byte_offset = probe->byte_offset;
  p.operand = 0;
  return {p};
}

void Rewriter::find_points() {
  std::uint32_t first_pc = 0;
  for (const int f : functions_) {
    const ptx::Entry& e = original_.entries[static_cast<std::size_t>(f)];
    for (int n = 0; n < static_cast<int>(e.code.size()); ++n)
      for (Point& p : points_at(e, n)) {
        p.site.pc = first_pc + static_cast<std::uint32_t>(n);
        places_[f][n].push_back({p, static_cast<std::uint32_t>(description_.sites.size())});
        description_.sites.push_back(p.site);
      }
    first_pc += static_cast<std::uint32_t>(e.code.size()) + 1;
  }
}

void Rewriter::make_slots() {
  const ptx::Entry& e = original_.entries[static_cast<std::size_t>(kernel_)];
  for (std::size_t i = 0; i < e.params.size(); ++i)
    if (e.params[i].bytes == 8 && e.params[i].reg < 0)
      description_.slots.push_back({Slot::Kind::parameter, static_cast<int>(i), e.params[i].name});
  int shared = 0;
  const auto add = [&](const std::vector<ptx::Variable>& variables) {
    for (const ptx::Variable& v : variables)
      if (v.space == ptx::Space::shared)
        description_.slots.push_back({Slot::Kind::shared_variable, shared++, v.name, v.bytes});
  };
  add(e.variables);
  add(original_.variables);
}

void Rewriter::add_variable() {
  ptx::Variable v{.name = records_variable, .type = ptx::Type::b64, .bytes = 8, .alignment = 8, .initial = {}};
  out_.variables.push_back(std::move(v));
}

void Rewriter::weave(int function) {
  ptx::Entry& e = out_.entries[static_cast<std::size_t>(woven_.at(function))];
  const bool is_kernel = function == kernel_;
  if (e.is_declaration) return;
  if (is_kernel) e.params.push_back({.name = records_parameter, .type = ptx::Type::b64, .bytes = 8, .alignment = 8});
  Weaver::declare(e);
  Weaver weaver(out_, e);
  const auto put_mark = [&](std::vector<ptx::Instruction>& code, std::string piece) {
    code.push_back({.opcode = fmt::format("{} {}", mark, pieces_.size())});
    pieces_.push_back(std::move(piece));
  };
  std::vector<ptx::Instruction> code;
  std::vector<int> moved;  // where each instruction, with its piece, begins now
  put_mark(code, weaver.prologue(description_, functions_.size() > 1));
  for (int n = 0; n < static_cast<int>(e.code.size()); ++n) {
    moved.push_back(static_cast<int>(code.size()));
    ptx::Instruction& i = e.code[static_cast<std::size_t>(n)];
    if (const auto at = places_[function].find(n); at != places_[function].end())
      for (const Place& p : at->second) put_mark(code, weaver.piece(i, p.point, p.site));
    if (what_ == What::accesses || i.opcode != "lanescope.probe") code.push_back(i);
  }
  moved.push_back(static_cast<int>(code.size()));
  const auto move = [&](int& instruction) { instruction = moved[static_cast<std::size_t>(instruction)]; };
  const auto move_labels = [&](auto& self, Operand& o) -> void {
    if (o.kind == Operand::Kind::label) move(o.target);
    for (Operand& element : o.elements) self(self, element);
  };
  for (ptx::Instruction& i : code)
    for (Operand& o : i.operands) move_labels(move_labels, o);
  for (ptx::Label& l : e.labels) move(l.instruction);
  for (ptx::BranchTable& t : e.branch_tables) std::ranges::for_each(t.targets, move);
  if (what_ == What::probes) e.probes.clear();
  for (ptx::Probe& p : e.probes) move(p.instruction);
  e.code = std::move(code);
}

std::string Rewriter::with_pieces(const std::string& text) const {
  std::string out;
  const std::string begin = fmt::format("  {} ", mark);
  for (std::size_t at = 0; at < text.size();) {
    const std::size_t end = std::min(text.find('\n', at), text.size() - 1) + 1;
    if (text.compare(at, begin.size(), begin) == 0)
      out += pieces_[std::stoul(text.substr(at + begin.size(), end - at - begin.size()))];
    else
      out.append(text, at, end - at);
    at = end;
  }
  return out;
}

Expected<Rewritten> rewrite(const ptx::Module& module, std::string_view kernel, What what) {
  const ptx::Entry* entry = module.find_entry(kernel);
  if (entry == nullptr || entry->is_function)
    return failure(fmt::format("the PTX has no kernel `{}`", kernel), "name one of its .entry functions");
  return Rewriter(module, static_cast<int>(entry - module.entries.data()), what).run();
}

}  // namespace

std::vector<int> reached_functions(const ptx::Module& module, int kernel) {
  std::vector<int> found{kernel};
  for (std::size_t n = 0; n < found.size(); ++n)
    for (const ptx::Instruction& i : module.entries[static_cast<std::size_t>(found[n])].code)
      for (const Operand& o : i.operands)
        if (o.kind == Operand::Kind::symbol && o.symbol_scope == Operand::Scope::function &&
            module.entries[static_cast<std::size_t>(o.symbol)]
                .is_function &&  // a kernel is launched, a program of its own
            std::ranges::find(found, o.symbol) == found.end())
          found.push_back(o.symbol);
  return found;
}

Expected<Rewritten> rewrite_traced(const ptx::Module& module, std::string_view kernel) {
  return rewrite(module, kernel, What::accesses);
}

Expected<Rewritten> rewrite_probed(const ptx::Module& module, std::string_view kernel) {
  return rewrite(module, kernel, What::probes);
}

}  // namespace lanescope::instrument
