#include "kernels/source/cxx/device_part.h"

#include <algorithm>
#include <array>
#include <map>
#include <set>
#include <string_view>

#include "kernels/base/listed_words.h"
#include "kernels/source/cxx/macros.h"

namespace lanescope::source {
namespace {

// Headers of the host's C library that hold types and limits device code uses; kernels/compile answers for them.
constexpr std::array<std::string_view, 16> c_headers = {
    "stdint.h", "cstdint", "stddef.h", "cstddef", "limits.h",  "climits",     "float.h", "cfloat",
    "math.h",   "cmath",   "assert.h", "cassert", "stdbool.h", "type_traits", "utility", "limits"};

constexpr std::array<std::string_view, 15> host_headers = {
    "cuda.h",        "cuda_runtime.h",     "cuda_runtime_api.h",  "device_launch_parameters.h",
    "helper_cuda.h", "helper_functions.h", "cuda_profiler_api.h", "nvToolsExt.h",
    "cupti.h",       "unistd.h",           "pthread.h",           "omp.h",
    "mpi.h",         "driver_types.h",     "helper_timer.h"};

constexpr std::array<std::string_view, 20> host_words = {
    "FILE",   "cout",   "cerr", "fprintf", "fopen", "getenv",   "atoi", "atof",   "exit",  "stderr",
    "stdout", "thrust", "at",   "torch",   "c10",   "pybind11", "dnnl", "chrono", "Eigen", "boost"};
/// Beginnings of the names of host libraries; an upper case letter or `_` follows.
constexpr std::array<std::string_view, 12> host_prefixes = {
    "cuda", "cublas", "cufft", "curand", "cusparse", "cudnn", "nccl", "nvtx", "MPI", "omp", "cusolver", "cutensor"};
/// Of the runtime's names those that device code may have.
bool is_runtime_on_device(std::string_view name) {
  static const auto names = listed_words(
      "cufftReal cufftComplex cufftDoubleReal cufftDoubleComplex cudaTextureObject_t cudaSurfaceObject_t "
      "cudaGridDependencySynchronize cudaTextureType2D cudaBoundaryModeTrap cudaTriggerProgrammaticLaunchCompletion "
      "cudaReadModeElementType cudaBoundaryModeClamp cudaBoundaryModeZero cudaRoundMode cudaDataType_t");
  return one_of(name, names);
}
constexpr std::array<std::string_view, 6> std_on_device = {"move",      "forward",  "size_t", "initializer_list",
                                                           "nullptr_t", "ptrdiff_t"};

/// Without their `std::`, where the file says `using namespace std`.
constexpr std::array<std::string_view, 8> host_types = {"vector",  "string", "map",      "unordered_map",
                                                        "ostream", "set",    "ifstream", "ofstream"};

using Kind = TopDeclaration::Kind;

constexpr std::size_t most_of_a_name = 200;     ///< declarations of one name that a mention reaches
constexpr std::size_t most_macro_words = 5000;  ///< that one macro brings

class Cutter {
 public:
  Cutter(const Lexed& lexed, const Outline& outline) : lexed_(lexed), outline_(outline) {
    out_.text = lexed.text;
    out_.host.assign(outline.functions.size(), false);
    for (int i = 0; i + 2 < lexed.count() && !using_std_; ++i)
      using_std_ = lexed.is(i, "using") && lexed.is(i + 1, "namespace") && lexed.is(i + 2, "std");
  }

  DevicePart run() {
    includes();
    if (outline_.reliable) cut();
    return std::move(out_);
  }

 private:
  void blank(std::size_t from, std::size_t to) {
    for (std::size_t i = from; i < to && i < out_.text.size(); ++i)
      if (out_.text[i] != '\n' && out_.text[i] != '\r') out_.text[i] = ' ';
  }

  static bool is_host_header(std::string_view name) {
    if (one_of(name, host_headers)) return true;
    if (name.starts_with("thrust/") || name.starts_with("nvtx3/") || name.starts_with("sys/") ||
        name.starts_with("boost/"))
      return true;
    if (one_of(name, c_headers) || name.find('/') != std::string_view::npos) return false;
    const bool standard_cpp = name.find('.') == std::string_view::npos;
    constexpr std::array<std::string_view, 8> c = {"stdio.h", "stdlib.h", "string.h", "time.h",
                                                   "errno.h", "signal.h", "ctype.h",  "inttypes.h"};
    return standard_cpp || one_of(name, c);
  }

  void includes() {
    for (const Directive& d : lexed_.directives) {
      const auto [word, text] = directive_text(lexed_, d);
      const std::size_t open = word.starts_with("include") ? text.find_first_of("<\"") : std::string_view::npos;
      if (open == std::string_view::npos) continue;
      const bool angle = text[open] == '<';
      const std::size_t close = text.find(angle ? '>' : '"', open + 1);
      if (close == std::string_view::npos) continue;
      const std::string_view name = text.substr(open + 1, close - open - 1);
      if (angle ? is_host_header(name) : one_of(name, host_headers)) blank(d.offset, d.offset + d.length);
    }
  }

  /// A word of the host's library, or a launch.
  bool is_host_word(int i) const {
    const std::string_view w = lexed_.of(i);
    if (w == "<<<" || (using_std_ && one_of(w, host_types))) return true;
    if (lexed_.token(i).kind != TokenKind::identifier) return false;
    if (one_of(w, host_words))
      return w.size() > 5 || !one_of(w, {"at", "c10", "torch", "Eigen"}) || lexed_.is(i + 1, "::");
    for (const std::string_view p : host_prefixes)
      if (w.size() > p.size() && w.starts_with(p) && (w[p.size()] == '_' || (w[p.size()] >= 'A' && w[p.size()] <= 'Z')))
        return !is_runtime_on_device(w) && !w.starts_with("curand_") && !w.starts_with("curandState");
    if (w != "std" || !lexed_.is(i + 1, "::")) return false;
    const bool cuda_std = i > 1 && lexed_.is(i - 1, "::") && lexed_.is(i - 2, "cuda");
    return !cuda_std && !(i + 2 < lexed_.count() && one_of(lexed_.of(i + 2), std_on_device));
  }

  // --- the declarations as a graph of mentions ---

  struct Node {
    int first = 0, last = 0;
    int function = -1, declaration = -1;  ///< in the outline
    bool device = false;                  ///< it has a qualifier of device code, or a macro that may hold one
    int around = -1;                      ///< the declaration that it is part of
    bool member = false;
    bool in_class = false;
    bool of_host = false;   ///< it says __host__
    bool evidence = false;  ///< it uses the host's library
    bool reached = false;   ///< device code mentions it
    bool gone = false;
    std::vector<int> mentions;  ///< nodes
  };
  using Names = std::map<std::string_view, std::vector<int>>;

  static bool is_device_word(std::string_view w) {
    return w == "__device__" || w == "__global__" || w == "__constant__" || w == "__shared__" || w == "__managed__";
  }

  void make_nodes() {
    for (std::size_t i = 0; i < outline_.functions.size(); ++i) {
      const FunctionRange& f = outline_.functions[i];
      Node n;
      n.first = f.head, n.last = f.close, n.function = static_cast<int>(i);
      n.device = f.annotated;
      n.member = f.member;
      nodes_.push_back(std::move(n));
    }
    for (std::size_t i = 0; i < outline_.declarations.size(); ++i) {
      const TopDeclaration& d = outline_.declarations[i];
      // A member is a node where it is a function; the others belong to their class.
      if (d.member && d.kind != Kind::function && d.kind != Kind::other) continue;
      nodes_.push_back({.first = d.first, .last = d.last, .declaration = static_cast<int>(i), .member = d.member});
    }
    // Outer ones first: a token belongs to the innermost.
    std::sort(nodes_.begin(), nodes_.end(), [](const Node& a, const Node& b) {
      return a.first != b.first ? a.first < b.first : a.last != b.last ? a.last > b.last : a.function < b.function;
    });
    std::vector<int> open;
    for (int i = 0; i < static_cast<int>(nodes_.size()); ++i) {
      Node& n = nodes_[static_cast<std::size_t>(i)];
      while (!open.empty() && nodes_[static_cast<std::size_t>(open.back())].last < n.last) open.pop_back();
      if (!open.empty()) n.around = open.back();
      if (n.function < 0) open.push_back(i);
      n.in_class = is_in_class(n);
      if (n.function >= 0) {
        name(outline_.functions[static_cast<std::size_t>(n.function)].info.name, i, n.member);
      } else {
        for (const int t : outline_.declarations[static_cast<std::size_t>(n.declaration)].names)
          name(lexed_.of(t), i, n.member);
      }
    }
  }

  void name(std::string_view word, int node, bool member) {
    std::vector<int>& all = (member ? members_ : globals_)[word];
    if (all.empty() || all.back() != node) all.push_back(node);
  }

  /// Fills what each node mentions, and whether it uses the host's library.
  void read_tokens() {
    std::vector<int> open;
    std::size_t next = 0;
    for (int t = 0; t < lexed_.count(); ++t) {
      while (!open.empty() && nodes_[static_cast<std::size_t>(open.back())].last < t) open.pop_back();
      for (; next < nodes_.size() && nodes_[next].first <= t; ++next)
        if (nodes_[next].last >= t) open.push_back(static_cast<int>(next));
      if (open.empty()) continue;
      Node& n = nodes_[static_cast<std::size_t>(open.back())];
      if (n.function < 0 && is_device_word(lexed_.of(t))) n.device = true;
      if (lexed_.is(t, "__host__")) n.of_host = n.of_host || is_function_head(n, t);
      if (!n.evidence && is_host_word(t)) n.evidence = true;
      if (lexed_.token(t).kind == TokenKind::identifier) mention(open.back(), t);
    }
    for (Node& n : nodes_) {
      n.evidence = n.evidence || (n.of_host && !n.device);
      std::sort(n.mentions.begin(), n.mentions.end());
      n.mentions.erase(std::unique(n.mentions.begin(), n.mentions.end()), n.mentions.end());
    }
  }

  /// Not so in a lambda, which may be both.
  bool is_function_head(const Node& n, int t) const {
    if (n.function >= 0) return t < outline_.functions[static_cast<std::size_t>(n.function)].open;
    return kind_of(n) == Kind::function;
  }

  void mention(int node, int t) {
    const std::string_view w = lexed_.of(t);
    const bool selected = lexed_.is(t - 1, ".") || lexed_.is(t - 1, "->");
    if (!selected && !lexed_.is(t - 1, "::") && !lexed_.is(t + 1, "::")) {
      const Node& n = nodes_[static_cast<std::size_t>(node)];
      if (n.function >= 0) {
        const FunctionRange& f = outline_.functions[static_cast<std::size_t>(n.function)];
        if (t > f.open ? outline_.find(w, t) >= 0 : is_parameter(f, w)) return;
      }
    }
    if (!selected) mention_all(node, globals_, w);
    if (selected || lexed_.is(t - 1, "::") || nodes_[static_cast<std::size_t>(node)].in_class)
      mention_all(node, members_, w);
    const auto macro = macro_words_.find(w);
    if (macro == macro_words_.end()) return;
    for (const std::string_view brought : macro->second) {
      mention_all(node, globals_, brought);
      mention_all(node, members_, brought);
    }
  }

  /// A class, or a function of one: `void A<T>::f()`.
  bool is_in_class(const Node& n) const {
    if (n.member) return true;
    if (n.function < 0) return kind_of(n) == Kind::type;
    const FunctionRange& f = outline_.functions[static_cast<std::size_t>(n.function)];
    for (int t = f.head; t < f.open; ++t)
      if (lexed_.is(t, "::")) return true;
    return false;
  }

  static bool is_parameter(const FunctionRange& f, std::string_view w) {
    return std::any_of(f.info.parameters.begin(), f.info.parameters.end(),
                       [&](const Parameter& p) { return p.name == w; });
  }

  void mention_all(int node, const Names& names, std::string_view word) {
    const auto found = names.find(word);
    if (found == names.end()) return;
    std::vector<int>& out = nodes_[static_cast<std::size_t>(node)].mentions;
    if (!out.empty() && out.size() > 64 && out.back() == found->second.back()) return;  // said just now
    for (std::size_t i = 0; i < found->second.size() && i < most_of_a_name; ++i)
      if (found->second[i] != node) out.push_back(found->second[i]);
  }

  /// The words of each macro's body, with those of the macros in it.
  void read_macros() {
    std::map<std::string_view, std::vector<std::string_view>> bodies;
    for (const Macro& m : macros(lexed_)) {
      std::vector<std::string_view>& words = bodies[m.name];
      for (std::size_t i = 0; i < m.body.size(); ++i) {
        if (!is_word_start(m.body[i])) continue;
        const std::size_t from = i;
        while (i < m.body.size() && is_word(m.body[i])) ++i;
        words.push_back(m.body.substr(from, i - from));
      }
    }
    for (const auto& [name, words] : bodies) {
      std::set<std::string_view> all;
      std::vector<std::string_view> to_read = {name};
      while (!to_read.empty() && all.size() < most_macro_words) {
        const auto body = bodies.find(to_read.back());
        to_read.pop_back();
        if (body == bodies.end()) continue;
        for (const std::string_view w : body->second)
          if (all.insert(w).second) to_read.push_back(w);
      }
      std::vector<std::string_view>& kept = macro_words_[name];
      for (const std::string_view w : all)
        if (globals_.contains(w) || members_.contains(w)) kept.push_back(w);
    }
  }

  /// The name of a member reaches it once its class is reached: who uses an object names its class somewhere.
  void reach() {
    std::vector<int> to_read;
    std::map<int, std::vector<int>> waiting;  // members by their class
    const auto reach_node = [&](int i) {
      Node& n = nodes_[static_cast<std::size_t>(i)];
      if (n.reached) return;
      to_read.push_back(i);
      n.reached = true;
      const auto members = waiting.find(i);
      if (members == waiting.end()) return;
      for (const int m : members->second) {
        if (!nodes_[static_cast<std::size_t>(m)].reached) to_read.push_back(m);
        nodes_[static_cast<std::size_t>(m)].reached = true;
      }
    };
    for (int i = 0; i < static_cast<int>(nodes_.size()); ++i)
      if (nodes_[static_cast<std::size_t>(i)].device) reach_node(i);
    while (!to_read.empty()) {
      const int at = to_read.back();
      to_read.pop_back();
      for (const int n : nodes_[static_cast<std::size_t>(at)].mentions) {
        const int around = nodes_[static_cast<std::size_t>(n)].member ? class_around(n) : -1;
        if (around >= 0 && !nodes_[static_cast<std::size_t>(around)].reached)
          waiting[around].push_back(n);
        else
          reach_node(n);
      }
      // A member brings its class.
      if (nodes_[static_cast<std::size_t>(at)].member)
        if (const int around = class_around(at); around >= 0) reach_node(around);
    }
  }

  int class_around(int node) const { return nodes_[static_cast<std::size_t>(node)].around; }

  const FunctionRange* function_of(const Node& n) const {
    return n.function >= 0 ? &outline_.functions[static_cast<std::size_t>(n.function)] : nullptr;
  }
  Kind kind_of(const Node& n) const {
    return n.function >= 0 ? Kind::function : outline_.declarations[static_cast<std::size_t>(n.declaration)].kind;
  }

  bool is_constant(const Node& n) const {
    bool constant = false;
    for (int t = n.first; t <= n.last; ++t) {
      const std::string_view w = lexed_.of(t);
      if (lexed_.token(t).kind == TokenKind::string || w == "&") return false;
      constant = constant || w == "const" || w == "constexpr";
    }
    if (!constant) return false;
    return std::none_of(n.mentions.begin(), n.mentions.end(),
                        [&](int m) { return nodes_[static_cast<std::size_t>(m)].function >= 0; }) ||
           lexed_.is(n.first, "constexpr");
  }

  bool is_host(const Node& n) const {
    if (n.device) return false;
    if (const FunctionRange* f = function_of(n)) {
      if (f->info.name == "main") return true;
      if (n.evidence) return true;
      return !(n.reached || f->is_constexpr || f->member);
    }
    switch (kind_of(n)) {
      case Kind::variable:
        return n.evidence || (!n.reached && !is_constant(n));
      case Kind::function:
        return n.evidence;
      case Kind::alias: {
        const bool of_std =
            lexed_.is(n.first, "using") && lexed_.is(n.first + 1, "namespace") && lexed_.is(n.first + 2, "std");
        return of_std || (n.evidence && !n.reached);
      }
      default:
        return n.evidence && !n.reached;
    }
  }

  /// Code that mentions a removed name is removed, too.
  void spread() {
    std::vector<std::vector<int>> mentioned_by(nodes_.size());
    for (int i = 0; i < static_cast<int>(nodes_.size()); ++i)
      for (const int m : nodes_[static_cast<std::size_t>(i)].mentions)
        mentioned_by[static_cast<std::size_t>(m)].push_back(i);
    std::vector<int> went;
    for (int i = 0; i < static_cast<int>(nodes_.size()); ++i) {
      Node& n = nodes_[static_cast<std::size_t>(i)];
      n.gone = is_host(n);
      if (n.gone) went.push_back(i);
    }
    while (!went.empty()) {
      const int at = went.back();
      went.pop_back();
      if (nodes_[static_cast<std::size_t>(at)].member) continue;  // its name may be another's
      for (const int i : mentioned_by[static_cast<std::size_t>(at)]) {
        Node& n = nodes_[static_cast<std::size_t>(i)];
        if (n.gone || n.device || n.reached) continue;
        // Something else of that name is still there?
        const bool other = std::any_of(n.mentions.begin(), n.mentions.end(), [&](int m) {
          return m != at && !nodes_[static_cast<std::size_t>(m)].gone && same_name(at, m);
        });
        if (other) continue;
        n.gone = true;
        went.push_back(i);
      }
    }
  }

  std::string_view first_name(int node) const {
    const Node& n = nodes_[static_cast<std::size_t>(node)];
    if (const FunctionRange* f = function_of(n)) return f->info.name;
    const std::vector<int>& names = outline_.declarations[static_cast<std::size_t>(n.declaration)].names;
    return names.empty() ? std::string_view() : lexed_.of(names.front());
  }
  bool same_name(int a, int b) const { return !first_name(a).empty() && first_name(a) == first_name(b); }

  void cut() {
    make_nodes();
    read_macros();
    read_tokens();
    reach();
    spread();
    int gone_to = -1;  // the end of what is gone
    for (const Node& n : nodes_) {
      const bool with_class = n.last <= gone_to;
      if (n.function >= 0) out_.host[static_cast<std::size_t>(n.function)] = n.gone || with_class;
      if (with_class || !n.gone) continue;
      const bool using_std = n.declaration >= 0 && kind_of(n) == Kind::alias && lexed_.is(n.first, "using");
      out_.cut = out_.cut || !using_std;
      blank(lexed_.token(n.first).offset, lexed_.token(n.last).end());
      gone_to = std::max(gone_to, n.last);
    }
    list_parts();
  }

  /// The remaining text, for a compiler that cannot take all of it.
  void list_parts() {
    std::vector<int> part_of(nodes_.size(), -1), open;
    int gone_to = -1, last = -1;
    for (int i = 0; i < static_cast<int>(nodes_.size()); ++i) {
      const Node& n = nodes_[static_cast<std::size_t>(i)];
      if (n.gone) gone_to = std::max(gone_to, n.last);
      if (n.last <= gone_to) continue;
      while (!open.empty() && nodes_[static_cast<std::size_t>(open.back())].last < n.first) open.pop_back();
      Part p = part(n, i);
      if (!open.empty()) {
        p.inside = part_of[static_cast<std::size_t>(open.back())];
        const std::string& around = out_.parts[static_cast<std::size_t>(p.inside)].name;
        p.implicit = p.is_function && (p.name == "operator" || p.name == around);
      }
      // One macro brought both: neither can go alone.
      if (last >= 0 && out_.parts.back().inside == p.inside && out_.parts.back().end > p.begin)
        out_.parts.back().needed = p.needed = true;
      last = i;  // the one before, within another or not
      part_of[static_cast<std::size_t>(i)] = static_cast<int>(out_.parts.size());
      out_.parts.push_back(std::move(p));
      open.push_back(i);
    }
    for (std::size_t i = 0; i < nodes_.size(); ++i) {
      if (part_of[i] < 0) continue;
      Part& own = out_.parts[static_cast<std::size_t>(part_of[i])];
      for (const int m : nodes_[i].mentions) {
        const int p = part_of[static_cast<std::size_t>(m)];
        if (p >= 0 && p != part_of[i]) own.needs.push_back(p);
      }
      // Who needs a class may call these without a word.
      if (own.implicit && own.inside >= 0) out_.parts[static_cast<std::size_t>(own.inside)].needs.push_back(part_of[i]);
    }
    for (Part& p : out_.parts) {
      std::sort(p.needs.begin(), p.needs.end());
      p.needs.erase(std::unique(p.needs.begin(), p.needs.end()), p.needs.end());
    }
  }

  Part part(const Node& n, int index) const {
    Part p{.name = std::string(first_name(index)), .first_line = lexed_.token(n.first).line};
    const Token& last = lexed_.token(n.last);
    p.last_line = last.line + static_cast<int>(std::count(lexed_.text.begin() + last.offset,
                                                          lexed_.text.begin() + last.end(), '\n'));
    p.begin = lexed_.token(n.first).offset;
    p.end = last.end();
    const FunctionRange* f = function_of(n);
    p.is_function = f != nullptr || kind_of(n) == Kind::function;
    p.needed = !n.member && p.name == "operator";
    if (f != nullptr && lexed_.token(body_of(*f)).spelling < 0 && lexed_.token(f->close).spelling < 0) {
      p.body_begin = lexed_.token(body_of(*f)).offset;
      p.body_end = lexed_.token(f->close).end();
    }
    return p;
  }

  /// The token that a function's body begins with: its brace, or the `:` before the initialisers of a constructor.
  int body_of(const FunctionRange& f) const {
    for (int t = f.head; t < f.open; ++t) {
      if (lexed_.is(t, ":") && (lexed_.is(t - 1, ")") || lexed_.is(t - 1, "noexcept")))
        return lexed_.is(t - 1, "try") ? t - 1 : t;
      if (lexed_.is(t, "try")) return t;
      if (lexed_.partner(t) > t) t = std::min(lexed_.partner(t), f.open - 1);
    }
    return f.open;
  }

  std::vector<Node> nodes_;
  Names globals_, members_;  ///< nodes by what they declare
  std::map<std::string_view, std::vector<std::string_view>> macro_words_;
  const Lexed& lexed_;
  const Outline& outline_;
  bool using_std_ = false;
  DevicePart out_;
};

}  // namespace

DevicePart device_part(const Lexed& lexed, const Outline& outline) { return Cutter(lexed, outline).run(); }

}  // namespace lanescope::source
