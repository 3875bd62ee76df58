#include "kernels/source/header/launch_header.h"

#include <algorithm>
#include <array>
#include <cstring>
#include <filesystem>

#include <fmt/format.h>

#include "kernels/base/toml_table.h"
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
    auto root = parse_toml(text->toml, file_, 0, "the header is TOML, from [lanescope] to the end of the comment");
    if (!root) {
      Diagnostic& d = root.error().front();
      d.message = "launch header: " + d.message;
      d.code = DiagnosticCode::launch_header;
      return tl::unexpected<Diagnostics>(std::move(root.error()));
    }
    out_.where = text->where;
    out_.header.present = true;
    out_.header.title = text->title;
    read(*root);
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

  void take(const Diagnostics& more) { problems_.insert(problems_.end(), more.begin(), more.end()); }
  void finish(TomlTable& keys) {
    for (Diagnostic& d : keys.finish()) {
      d.code = DiagnosticCode::launch_header;
      problems_.push_back(std::move(d));
    }
  }

  static TextPlace place_of(const toml::node* n) {
    if (n == nullptr) return {};
    return {static_cast<int>(n->source().begin.line), static_cast<int>(n->source().begin.column)};
  }

  void read(const toml::table& root) {
    TomlTable top(root, file_, 0, "the launch header");
    LaunchSpec defaults;
    if (const toml::table* t = top.read_table("lanescope")) {
      TomlTable main(*t, file_, 0, "[lanescope]");
      main.read("title", out_.header.title);
      main.read("arch", out_.header.compile.arch);
      if (main.read("options", out_.header.compile.options)) options(*t->get_as<toml::array>("options"));
      if (std::int64_t bytes = 0; main.read("heap", bytes, 1, most_heap_bytes)) heap(bytes);
      defaults.grid = defaults.block = {};
      launch(*t, main, defaults);
      finish(main);
    }
    if (const toml::node* b = top.take("buffers")) buffers(*b);
    const auto launches = top.read_tables("launch");
    if (launches.size() > most_launches)
      top.complain("launch", fmt::format("there are more than {} launches", most_launches), "use fewer launches");
    for (std::size_t n = 0; n < std::min(launches.size(), most_launches); ++n) {
      TomlTable keys(*launches[n], file_, 0, "[[launch]]");
      launch(*launches[n], keys, out_.header.launches.emplace_back(defaults));
      finish(keys);
    }
    if (launches.empty()) out_.header.launches.push_back(defaults);
    finish(top);
  }

  void options(const toml::array& list) {
    for (const toml::node& e : list) out_.header.compile.option_places.push_back(place_of(&e));
    refused_options(list);
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
  static void extents(TomlTable& t, std::string_view key, auto& out) {
    const toml::node* n = t.take(key);
    if (n == nullptr) return;
    std::array<std::uint32_t, 3> read{1, 1, 1};
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
      if (good) read[i] = static_cast<std::uint32_t>(*v);
    }
    if (good)
      out = read;
    else
      t.complain(*n, fmt::format("`{}` must be one to three positive integers", key),
                 fmt::format("for example {} = [32, 16]", key));
  }

  /// Keys that are missing leave `l` as it is: the launch has the defaults then.
  void launch(const toml::table& t, TomlTable& keys, LaunchSpec& l) {
    l.line = static_cast<int>(t.source().begin.line);
    for (const auto& [key, place] :
         {std::pair{"kernel", &LaunchPlaces::kernel}, std::pair{"grid", &LaunchPlaces::grid},
          std::pair{"block", &LaunchPlaces::block}, std::pair{"cluster", &LaunchPlaces::cluster},
          std::pair{"shared", &LaunchPlaces::shared}, std::pair{"args", &LaunchPlaces::arguments}})
      if (const toml::node* n = t.get(key)) l.places.*place = place_of(n);
    // It is a line of C++ to the compiler, and a second line could be any directive.
    if (keys.read("kernel", l.kernel) && l.kernel.find_first_of("\n\r") != std::string::npos)
      keys.complain("kernel", "the name of a kernel has no line break", "write it in one line");
    extents(keys, "grid", l.grid);
    extents(keys, "block", l.block);
    extents(keys, "cluster", l.cluster);
    check_limits(keys, l);
    if (const toml::node* n = keys.take("shared")) {
      const auto v = n->value_exact<std::int64_t>();
      if (v && *v >= 0 && *v <= 1 << 20) {
        l.dynamic_shared_bytes = static_cast<std::uint32_t>(*v);
      } else {
        keys.complain(*n,
                      v && *v > 0 ? fmt::format("`shared` is {} bytes, more than any block has", *v)
                                  : std::string("`shared` must be a number of bytes"),
                      "the maximum is 227 KiB per block");
      }
    }
    std::int64_t stream = l.stream;
    keys.read("stream", stream, 0, most_streams - 1);
    l.stream = static_cast<std::uint32_t>(stream);
    if (const toml::node* n = keys.take("args")) arguments(*n, l);
  }

  void heap(std::int64_t size) {
    std::vector<std::byte> bytes(sizeof size);
    std::memcpy(bytes.data(), &size, sizeof size);
    out_.header.symbols.push_back({.name = std::string(heap_limit), .offset_bytes = 0, .bytes = std::move(bytes)});
  }

  static void check_limits(TomlTable& t, const LaunchSpec& l) {
    const std::uint64_t threads = std::uint64_t{l.block[0]} * l.block[1] * l.block[2];
    if (t.has("block") && (threads > 1024 || l.block[2] > 64))
      t.complain("block", fmt::format("the block has {} threads", threads),
                 "the maximum is 1024 threads per block, and 64 in z");
    if (t.has("grid") && (l.grid[1] > 65535 || l.grid[2] > 65535))
      t.complain("grid", "the grid is too large in y or z", "the maximum is 65535 blocks");
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
    ArgumentSpec a{.parameter = std::move(name), .place = place};
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
    TomlTable keys(*t, file_, 0, fmt::format("buffer {}", name));
    const toml::node* type = keys.take("type");
    if (type == nullptr || !type->is_string()) {
      wrong(key.source().begin, fmt::format("buffer {} has no type", name), "add type = \"f32\"");
      return std::nullopt;
    }
    std::optional<BufferSpec> b = buffer_text(name, type->as_string()->get(), *type);
    if (!b) return std::nullopt;
    if (std::string axes; keys.read("axes", axes)) {
      // "f32 " stands before the axes' own text, so that columns count from there.
      const Expected<BufferSpec> whole =
          read_buffer_text(name, b->element_type + " " + axes, file_, place_of(t->get("axes")).line,
                           column_of(*t->get("axes")) - static_cast<int>(b->element_type.size()) - 1);
      if (!whole) {
        take(whole.error());
      } else {
        b->axes = whole->axes;
        b->elements = whole->elements;
      }
    }
    if (const toml::node* n = keys.take("init")) contents(*n, *b, false, b->initial);
    if (const toml::node* n = keys.take("expect")) contents(*n, *b, true, b->expected.emplace());
    if (const toml::node* n = keys.take("tolerance")) {
      b->tolerance = n->value<double>().value_or(-1);
      if (!(b->tolerance >= 0)) wrong(*n, "`tolerance` must be a number", "for example 1e-3");
      if (!is_float_type(b->element_type) && b->tolerance > 0)
        wrong(*n,
              fmt::format("`tolerance` has no meaning for {}, whose elements are compared exactly", b->element_type),
              "remove it");
    }
    keys.read("traced", b->traced);
    finish(keys);
    return b;
  }

  /// Of a text's first character, after the quote.
  static int column_of(const toml::node& n) { return static_cast<int>(n.source().begin.column) + 1; }

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
