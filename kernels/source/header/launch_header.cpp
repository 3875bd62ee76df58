#include "kernels/source/header/launch_header.h"

#include <algorithm>
#include <array>
#include <cstring>
#include <filesystem>
#include <initializer_list>
#include <optional>

#include <fmt/format.h>
#include <toml++/toml.h>

#include "kernels/source/data/contents.h"
#include "kernels/source/data/number_format.h"
#include "kernels/source/header/header_text.h"
#include "kernels/source/host/heap_limit.h"
#include "kernels/source/options/command_words.h"
#include "kernels/source/options/header_search.h"
#include "kernels/source/options/nvcc_words.h"

namespace lanescope::source {
namespace {

class Reader {
 public:
  Reader(std::string_view file, const Lexed& lexed)
      : file_(file),
        folder_(std::filesystem::path(file_).parent_path()),
        project_(options::project_folder(file_)),
        lexed_(lexed) {}

  Expected<ReadHeader> run() {
    HeaderSearch found = find_header(lexed_);
    for (Diagnostic& d : found.mistakes) {
      d.file = file_;
      (d.severity == Severity::error ? problems_ : out_.warnings).push_back(std::move(d));
    }
    if (!problems_.empty()) return tl::unexpected<Diagnostics>(std::move(problems_));
    const std::optional<HeaderComment>& text = found.header;
    if (!text) return std::move(out_);
    toml::table root;
    try {
      root = toml::parse(text->toml);
    } catch (const toml::parse_error& e) {
      return failure(Diagnostic{.file = file_,
                                .line = static_cast<int>(e.source().begin.line),
                                .column = static_cast<int>(e.source().begin.column),
                                .message = fmt::format("launch header: {}", e.description()),
                                .remedy = "the header is TOML, from [lanescope] to the end of the comment",
                                .code = DiagnosticCode::launch_header});
    }
    out_.where = text->where;
    out_.header.present = true;
    out_.header.title = text->title;
    read(root);
    if (!problems_.empty()) return tl::unexpected<Diagnostics>(std::move(problems_));
    return std::move(out_);
  }

 private:
  void wrong(const toml::node& at, std::string message, std::string remedy) {
    wrong(at.source().begin, std::move(message), std::move(remedy));
  }
  void wrong(const toml::source_position& at, std::string message, std::string remedy) {
    problems_.push_back({.file = file_,
                         .line = static_cast<int>(at.line),
                         .column = static_cast<int>(at.column),
                         .message = std::move(message),
                         .remedy = std::move(remedy),
                         .code = DiagnosticCode::launch_header});
  }

  static TextPlace place_of(const toml::node* n) {
    if (n == nullptr) return {};
    return {static_cast<int>(n->source().begin.line), static_cast<int>(n->source().begin.column)};
  }

  void only(const toml::table& table, std::string_view where, std::initializer_list<std::string_view> known) {
    for (const auto& [key, value] : table) {
      if (std::find(known.begin(), known.end(), key.str()) != known.end()) continue;
      wrong(key.source().begin, fmt::format("unknown key `{}` in {}", key.str(), where),
            fmt::format("known are {}", fmt::join(known, ", ")));
    }
  }

  void read(const toml::table& root) {
    only(root, "the launch header", {"lanescope", "buffers", "launch"});
    const toml::table* main = root["lanescope"].as_table();
    LaunchSpec defaults;
    if (main != nullptr) {
      only(*main, "[lanescope]",
           {"title", "kernel", "grid", "block", "cluster", "shared", "stream", "args", "arch", "options", "heap"});
      if (auto t = text(*main, "title")) out_.header.title = *t;
      if (auto a = text(*main, "arch")) out_.header.compile.arch = *a;
      options(*main);
      if (const toml::node* n = main->get("heap")) heap(*n);
      launch(*main, defaults);
    }
    if (const toml::node* b = root.get("buffers")) buffers(*b);
    if (const toml::node* l = root.get("launch")) {
      launches(*l, defaults);
    } else {
      out_.header.launches.push_back(defaults);
    }
  }

  std::optional<std::string> text(const toml::table& t, std::string_view key) {
    const toml::node* n = t.get(key);
    if (n == nullptr) return std::nullopt;
    if (const auto* s = n->as_string()) return s->get();
    wrong(*n, fmt::format("`{}` must be a string", key), "write it in quotes");
    return std::nullopt;
  }

  void options(const toml::table& t) {
    const toml::node* n = t.get("options");
    if (n == nullptr) return;
    const toml::array* list = n->as_array();
    if (list == nullptr) return wrong(*n, "`options` must be a list of strings", "for example [\"-DTILE=16\"]");
    for (const toml::node& e : *list) {
      if (const auto* s = e.as_string()) {
        out_.header.compile.options.push_back(s->get());
        out_.header.compile.option_places.push_back(place_of(&e));
      } else {
        wrong(e, "a compiler option must be a string", "write it in quotes");
      }
    }
    refused_options(*list);
  }

  /// Options that only a person may give the compiler.
  void refused_options(const toml::array& list) {
    const std::vector<std::string>& words = out_.header.compile.options;
    for (const auto& o : options::refused_options(words, {options::Origin::header, folder_, file_, {}})) {
      const auto word = std::ranges::find_if(
          words, [&](const std::string& w) { return (o.written + ' ').starts_with(options::shell_text(w) + ' '); });
      const toml::node* at = word == words.end() ? nullptr : list.get(static_cast<std::size_t>(word - words.begin()));
      wrong(at == nullptr ? list : *at, fmt::format("option {} {}", o.written, o.reason),
            std::string(options::remedy_of_refused));
    }
  }

  /// Up to three positive numbers.
  std::optional<std::array<std::uint32_t, 3>> extents(const toml::table& t, std::string_view key) {
    const toml::node* n = t.get(key);
    if (n == nullptr) return std::nullopt;
    std::array<std::uint32_t, 3> out{1, 1, 1};
    std::vector<const toml::node*> parts;
    if (const toml::array* list = n->as_array()) {
      for (const toml::node& e : *list) parts.push_back(&e);
    } else {
      parts.push_back(n);
    }
    bool good = !parts.empty() && parts.size() <= 3;
    for (std::size_t i = 0; i < parts.size() && good; ++i) {
      const auto v = parts[i]->value_exact<std::int64_t>();
      good = v && *v > 0 && *v <= 2147483647;
      if (good) out[i] = static_cast<std::uint32_t>(*v);
    }
    if (good) return out;
    wrong(*n, fmt::format("`{}` must be one to three positive integers", key),
          fmt::format("for example {} = [32, 16]", key));
    return std::nullopt;
  }

  void launch(const toml::table& t, LaunchSpec& l) {
    l.line = static_cast<int>(t.source().begin.line);
    l.places = {.kernel = place_of(t.get("kernel")),
                .grid = place_of(t.get("grid")),
                .block = place_of(t.get("block")),
                .cluster = place_of(t.get("cluster")),
                .shared = place_of(t.get("shared")),
                .arguments = place_of(t.get("args"))};
    if (auto k = text(t, "kernel")) {
      // It is a line of C++ to the compiler, and a second line could be any directive.
      if (std::ranges::any_of(*k, [](char c) { return c == '\n' || c == '\r'; }))
        wrong(*t.get("kernel"), "the name of a kernel has no line break", "write it in one line");
      l.kernel = *k;
    }
    l.grid = extents(t, "grid").value_or(std::array<std::uint32_t, 3>{0, 0, 0});
    l.block = extents(t, "block").value_or(std::array<std::uint32_t, 3>{0, 0, 0});
    l.cluster = extents(t, "cluster");
    check_limits(t, l);
    if (const toml::node* n = t.get("shared")) {
      const auto v = n->value_exact<std::int64_t>();
      if (v && *v >= 0 && *v <= 1 << 20) {
        l.dynamic_shared_bytes = static_cast<std::uint32_t>(*v);
      } else {
        wrong(*n,
              v && *v > 0 ? fmt::format("`shared` is {} bytes, more than any block has", *v)
                          : std::string("`shared` must be a number of bytes"),
              "the maximum is 227 KiB per block");
      }
    }
    if (const toml::node* n = t.get("stream")) stream(*n, l);
    if (const toml::node* n = t.get("args")) arguments(*n, l);
  }

  void stream(const toml::node& n, LaunchSpec& l) {
    const auto v = n.value_exact<std::int64_t>();
    if (v && *v >= 0 && *v < most_streams) {
      l.stream = static_cast<std::uint32_t>(*v);
    } else {
      wrong(n, fmt::format("`stream` must be an integer from 0 to {}", most_streams - 1), "the default is stream 0");
    }
  }

  void heap(const toml::node& n) {
    const auto v = n.value_exact<std::int64_t>();
    if (!v || *v <= 0 || *v > most_heap_bytes)
      return wrong(n, fmt::format("`heap` must be a number of bytes from 1 to {}", most_heap_bytes),
                   "the default is 8388608, as CUDA's");
    std::vector<std::byte> bytes(sizeof *v);
    std::memcpy(bytes.data(), &*v, sizeof *v);
    out_.header.symbols.push_back({.name = std::string(heap_limit), .offset_bytes = 0, .bytes = std::move(bytes)});
  }

  void check_limits(const toml::table& t, const LaunchSpec& l) {
    const std::uint64_t threads = std::uint64_t{l.block[0]} * l.block[1] * l.block[2];
    if (threads > 1024 || l.block[2] > 64) {
      wrong(*t.get("block"), fmt::format("the block has {} threads", threads),
            "the maximum is 1024 threads per block, and 64 in z");
    }
    if (l.grid[1] > 65535 || l.grid[2] > 65535)
      wrong(*t.get("grid"), "the grid is too large in y or z", "the maximum is 65535 blocks");
  }

  std::optional<std::vector<double>> numbers(const toml::node& n) {
    const toml::array* list = n.as_array();
    if (list == nullptr) return std::nullopt;
    std::vector<double> out;
    for (const toml::node& e : *list) {
      const auto v = e.value<double>();
      if (!v) return std::nullopt;
      out.push_back(*v);
    }
    return out;
  }

  /// Whether a whole number is too large to be kept exactly; then it is reported.
  bool too_many_digits(const toml::node& n) {
    if (!n.is_integer() || n.value<double>()) return false;
    wrong(n, "this number has too many digits", "all whole numbers up to 9007199254740992 (2^53) can be written");
    return true;
  }

  void argument(std::string name, const TextPlace& place, const toml::node& n, LaunchSpec& l) {
    ArgumentSpec a;
    a.parameter = std::move(name);
    a.place = place;
    if (const auto* s = n.as_string(); s != nullptr && is_exact_bits(s->get())) {
      auto bits = exact_bits(s->get());
      if (!bits)
        return wrong(n, fmt::format("`{}` is neither a number in base 16 nor a list of bytes", s->get()),
                     "for example \"0x7fc00000\" or \"bytes 01 02 ff\"");
      a.value = 0.0;
      a.bits = std::move(*bits);
    } else if (n.is_integer() && !n.value<double>()) {  // more digits than a double holds
      const auto number = static_cast<std::uint64_t>(*n.value<std::int64_t>());
      a.value = static_cast<double>(*n.value<std::int64_t>());
      for (int i = 0; i < 8; ++i) a.bits.push_back(static_cast<std::byte>(number >> (8 * i)));
    } else if (const auto* s = n.as_string()) {
      a.value = s->get();
      a.is_buffer = true;
    } else if (const auto* flag = n.as_boolean()) {
      a.value = flag->get() ? 1.0 : 0.0;
    } else if (const auto v = n.value<double>()) {
      a.value = *v;
    } else if (auto fields = numbers(n)) {
      a.value = fields->empty() ? 0.0 : fields->front();
      a.fields = std::move(*fields);
    } else if (!members(n, a.members)) {
      return wrong(n, "an argument must be a buffer name in quotes, a number, or a list of both",
                   "for example args = [\"p\", 16] or args = { view = [\"p\", 32, 32] }");
    }
    if (!a.members.empty()) a.value = 0.0;
    l.arguments.push_back(std::move(a));
  }

  /// `["p", 32, [4, "q"], "f64 2.5"]`: the members of a structure, those of inner structures in lists of their own or not.
  bool members(const toml::node& n, std::vector<FieldSpec>& out, int depth = 0) {
    const toml::array* list = n.as_array();
    if (list == nullptr || depth > 20) return false;
    for (const toml::node& e : *list) {
      if (too_many_digits(e)) return true;
      if (const auto* s = e.as_string()) {
        auto typed = typed_member(s->get());
        if (typed && !is_exact(*typed))
          wrong(e, fmt::format("`{}` has more digits than are kept here", s->get()),
                "give the structure as \"bytes 01 02 ...\"");
        out.push_back(typed ? std::move(*typed) : FieldSpec{.value = s->get()});
      } else if (const auto* flag = e.as_boolean()) {
        out.push_back({.value = flag->get() ? 1.0 : 0.0});
      } else if (const auto v = e.value<double>()) {
        out.push_back({.value = *v});
      } else if (!members(e, out, depth + 1)) {
        return false;
      }
    }
    return true;
  }

  void arguments(const toml::node& n, LaunchSpec& l) {
    l.arguments.clear();
    if (const toml::array* list = n.as_array()) {
      for (const toml::node& e : *list) argument("", place_of(&e), e, l);
    } else if (const toml::table* table = n.as_table()) {
      for (const auto& [key, value] : *table) {
        const toml::source_position& at = key.source().begin;
        argument(std::string(key.str()), {static_cast<int>(at.line), static_cast<int>(at.column)}, value, l);
      }
    } else {
      wrong(n, "`args` must be a list, or a table by parameter name", "for example [\"p\", 16] or { n = 16 }");
    }
  }

  void launches(const toml::node& n, const LaunchSpec& defaults) {
    const toml::array* list = n.as_array();
    if (list == nullptr || list->empty())
      return wrong(n, "`launch` must be a list of tables", "write [[launch]] in double brackets");
    if (list->size() > most_launches)
      return wrong(n, fmt::format("there are more than {} launches", most_launches), "use fewer launches");
    for (const toml::node& e : *list) {
      const toml::table* t = e.as_table();
      if (t == nullptr) {
        wrong(e, "a launch must be a table", "write [[launch]] and its keys below");
        continue;
      }
      only(*t, "[[launch]]", {"kernel", "grid", "block", "cluster", "shared", "stream", "args"});
      LaunchSpec l;
      launch(*t, l);
      inherit(l, defaults, *t);
      out_.header.launches.push_back(std::move(l));
    }
  }

  static void inherit(LaunchSpec& l, const LaunchSpec& defaults, const toml::table& t) {
    const auto take = [&](const char* key, auto LaunchSpec::*value, TextPlace LaunchPlaces::*place) {
      if (t.get(key) != nullptr) return;
      l.*value = defaults.*value;
      l.places.*place = defaults.places.*place;
    };
    take("kernel", &LaunchSpec::kernel, &LaunchPlaces::kernel);
    take("grid", &LaunchSpec::grid, &LaunchPlaces::grid);
    take("block", &LaunchSpec::block, &LaunchPlaces::block);
    take("cluster", &LaunchSpec::cluster, &LaunchPlaces::cluster);
    take("shared", &LaunchSpec::dynamic_shared_bytes, &LaunchPlaces::shared);
    take("args", &LaunchSpec::arguments, &LaunchPlaces::arguments);
    if (t.get("stream") == nullptr) l.stream = defaults.stream;
  }

  void buffers(const toml::node& n) {
    const toml::table* t = n.as_table();
    if (t == nullptr) return wrong(n, "`buffers` must be a table", "write [buffers] and one line for each buffer");
    if (t->size() > most_buffers)
      return wrong(n, fmt::format("more than {} buffers", most_buffers), "use fewer buffers");
    for (const auto& [key, value] : *t) {
      std::optional<BufferSpec> b = buffer(key.str(), key, value);
      if (!b) continue;
      b->line = static_cast<int>(key.source().begin.line);
      b->column = static_cast<int>(key.source().begin.column);
      out_.header.buffers.push_back(std::move(*b));
    }
    // toml++ sorts keys by name; the order in the file is the user's.
    std::stable_sort(out_.header.buffers.begin(), out_.header.buffers.end(),
                     [](const BufferSpec& a, const BufferSpec& b) { return a.line < b.line; });
  }

  std::optional<BufferSpec> buffer(std::string_view name, const toml::key& key, const toml::node& value) {
    if (const auto* s = value.as_string()) return buffer_text(name, s->get(), value);
    const toml::table* t = value.as_table();
    if (t == nullptr) {
      wrong(value, fmt::format("buffer {} must be a string or a table", name), "for example \"f32 i:16 j:16\"");
      return std::nullopt;
    }
    only(*t, fmt::format("buffer {}", name), {"type", "axes", "init", "expect", "tolerance", "traced"});
    const toml::node* type = t->get("type");
    if (type == nullptr || !type->is_string()) {
      wrong(key.source().begin, fmt::format("buffer {} has no type", name), "add type = \"f32\"");
      return std::nullopt;
    }
    std::optional<BufferSpec> b = buffer_text(name, type->as_string()->get(), *type);
    if (!b) return std::nullopt;
    if (auto axes = text(*t, "axes")) {
      // "f32 " stands before the axes' own text, so that columns count from there.
      const Expected<BufferSpec> whole =
          read_buffer_text(name, b->element_type + " " + *axes, file_, place_of(t->get("axes")).line,
                           column_of(*t->get("axes")) - static_cast<int>(b->element_type.size()) - 1);
      if (!whole) {
        take(whole.error());
      } else {
        b->axes = whole->axes;
        b->elements = whole->elements;
      }
    }
    if (const toml::node* n = t->get("init")) contents(*n, *b, false, b->initial);
    if (const toml::node* n = t->get("expect")) contents(*n, *b, true, b->expected.emplace());
    if (const toml::node* n = t->get("tolerance")) {
      number(*n, "tolerance", b->tolerance);
      if (!is_float_type(b->element_type) && b->tolerance > 0)
        wrong(*n,
              fmt::format("`tolerance` has no meaning for {}, whose elements are compared exactly", b->element_type),
              "remove it");
    }
    if (const toml::node* n = t->get("traced")) {
      if (const auto* flag = n->as_boolean()) {
        b->traced = flag->get();
      } else {
        wrong(*n, "`traced` must be true or false", "");
      }
    }
    return b;
  }

  void number(const toml::node& n, std::string_view key, double& out) {
    const auto v = n.value<double>();
    if (v && *v >= 0) {
      out = *v;
    } else {
      wrong(n, fmt::format("`{}` must be a number", key), "for example 1e-3");
    }
  }

  /// Of a text's first character, after the quote.
  static int column_of(const toml::node& n) { return static_cast<int>(n.source().begin.column) + 1; }

  void take(const Diagnostics& more) { problems_.insert(problems_.end(), more.begin(), more.end()); }

  std::optional<BufferSpec> buffer_text(std::string_view name, const std::string& text, const toml::node& at) {
    Expected<BufferSpec> b =
        read_buffer_text(name, text, file_, static_cast<int>(at.source().begin.line), column_of(at));
    if (b) {
      stays_in_project(b->initial, name, at);
      return std::move(*b);
    }
    take(b.error());
    return std::nullopt;
  }

  void stays_in_project(const Contents& of, std::string_view buffer, const toml::node& at) {
    if (of.kind != Contents::Kind::npy || is_of_folder(folder_ / of.text, project_)) return;
    wrong(at, fmt::format("buffer {}: `{}` is not in the project's folder {}", buffer, of.text, project_.string()),
          "move the file there; a project is the nearest folder above with .git, else the kernel's own");
  }

  void contents(const toml::node& n, const BufferSpec& b, bool expected, Contents& out) {
    if (too_many_digits(n)) return;
    const auto say = [&](const toml::node& at, std::string_view message, std::string remedy) {
      wrong(at, fmt::format("buffer {}: {}", b.name, message), std::move(remedy));
    };
    if (const auto* s = n.as_string()) {
      Expected<Contents> c = contents_from_text(s->get());
      if (!c) return say(n, c.error().front().message, c.error().front().remedy);
      out = std::move(*c);
      const bool only_expected = out.kind == Contents::Kind::copy_of || out.kind == Contents::Kind::sha256;
      stays_in_project(out, b.name, n);
      if (only_expected && !expected)
        say(n, fmt::format("`{}` cannot be an initial value", s->get()), "use it for expect");
      if (const Misfit m = misfit(b.element_type, out); !m.message.empty()) say(n, m.message, m.remedy);
    } else if (const toml::array* list = n.as_array()) {
      out.kind = Contents::Kind::values;
      const bool exact = std::ranges::any_of(
          *list, [](const toml::node& e) { return e.is_string() || (e.is_integer() && !e.value<double>()); });
      if (exact)
        exact_elements(*list, b, out);
      else
        for (const toml::node& e : *list) element(e, b, out.values);
    } else if (const auto v = n.value<double>(); v && n.is_number()) {
      out.kind = Contents::Kind::constant;
      out.value = *v;
      if (const Misfit m = misfit(b.element_type, *v); !m.message.empty()) say(n, m.message, m.remedy);
    } else {
      say(n, "contents must be a string, a number or a list of numbers", "for example \"iota\" or [1, 2, 3]");
    }
    out.line = place_of(&n).line;
    out.column = n.is_string() ? column_of(n) : column_of(n) - 1;
  }

  /// A list with bits among its numbers, or with numbers of more digits than a double holds.
  void exact_elements(const toml::array& list, const BufferSpec& b, Contents& out) {
    const auto width = static_cast<std::size_t>(b.element_bits);
    std::vector<std::byte> bytes((list.size() * width + 7) / 8);
    std::size_t at = 0;
    for (const toml::node& e : list) {
      std::optional<std::vector<std::byte>> bits;
      if (const auto* s = e.as_string()) {
        bits = exact_bits(s->get());
        if (bits) bits = resized_bits(std::move(*bits), 8);
      } else if (e.is_integer() && !e.value<double>()) {
        bits.emplace();
        const auto number = static_cast<std::uint64_t>(*e.value<std::int64_t>());
        if (width == 64 && !is_float_type(b.element_type))
          for (int i = 0; i < 8; ++i) bits->push_back(static_cast<std::byte>(number >> (8 * i)));
        else
          bits.reset();
      } else {
        std::vector<double> one;
        element(e, b, one);
        const std::uint64_t number = one.empty() ? 0 : encode(b.element_type, one.front());
        bits.emplace();
        for (int i = 0; i < 8; ++i) bits->push_back(static_cast<std::byte>(number >> (8 * i)));
        for (std::size_t i = width; i < 64; ++i) (*bits)[i / 8] &= static_cast<std::byte>(~(1u << i % 8));
      }
      bool fits = bits.has_value();
      for (std::size_t i = width; fits && i < 8 * bits->size(); ++i)
        fits = ((*bits)[i / 8] >> i % 8 & std::byte{1}) == std::byte{0};
      if (!fits)
        return wrong(e, fmt::format("buffer {}: this is no element of {} bits", b.name, width),
                     "write a number, or its bits in base 16 as in \"0x7fc00000\"");
      for (std::size_t i = 0; i < width && i < 8 * bits->size(); ++i)
        if (((*bits)[i / 8] >> i % 8 & std::byte{1}) != std::byte{0})
          bytes[(at + i) / 8] |= static_cast<std::byte>(1u << (at + i) % 8);
      at += width;
    }
    out.kind = Contents::Kind::bytes;
    out.listed = list.size();
    out.bytes = std::make_shared<const std::vector<std::byte>>(std::move(bytes));
  }

  /// One of a list of numbers.
  void element(const toml::node& n, const BufferSpec& b, std::vector<double>& out) {
    const auto v = n.value<double>();
    if (!n.is_number() || (!v && !n.is_integer())) {
      wrong(n, fmt::format("buffer {}: a list of contents has numbers and their bits only", b.name),
            "for example [1, 2, \"0x7fc00000\"]");
    } else if (!too_many_digits(n)) {
      if (const Misfit m = misfit(b.element_type, *v); !m.message.empty())
        wrong(n, fmt::format("buffer {}: {}", b.name, m.message), m.remedy);
      out.push_back(*v);
    }
  }

  std::string file_;
  std::filesystem::path folder_, project_;
  const Lexed& lexed_;
  ReadHeader out_;
  Diagnostics problems_;
};

}  // namespace

Expected<ReadHeader> read_header(const Lexed& lexed, std::string_view file) { return Reader(file, lexed).run(); }

}  // namespace lanescope::source
