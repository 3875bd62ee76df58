
#include "viz/views/memory/global.h"

#include <algorithm>
#include <bit>

#include <fmt/format.h>

#include "profiling/access/traffic.h"
#include "results/problems.h"
#include "viz/views/base/drawing.h"
#include "viz/views/memory/memory_rows.h"

namespace lanescope::views {
namespace {

constexpr float traffic_row_height = 22, traffic_row_gap = 9, traffic_fold_height = 16, traffic_heading_height = 30,
                traffic_footer_height = 58, traffic_margin = 12, traffic_second_heading = 15;
constexpr float traffic_narrow = 540;

using access::LoadPath;

/// One way of an access through the memory system, as it is drawn.
struct Way {
  std::string title, unit;
  access::Traffic traffic;
  bool by_lines = false;     ///< moves whole lines; else each sector on its own
  bool by_segments = false;  ///< moves 1 to 4 sectors of a line in a transaction
  bool queries = false;      ///< the read-only path
  bool halves = false;       ///< compute capability 1.x: `transactions`, of several sizes
  std::vector<access::Transaction> transactions{};
  bool moves(std::uint64_t first_byte, std::uint64_t bytes) const {
    return std::ranges::any_of(transactions, [&](const access::Transaction& t) {
      return t.address < first_byte + bytes && first_byte < t.address + t.bytes;
    });
  }
};

std::vector<Way> ways_of(const AccessInfo& info, const TrafficOptions& options) {
  const access::MemoryModel& memory = options.memory;
  const std::string on = options.arch.empty() ? "" : ", " + options.arch;
  const bool differ = memory.cached_load_transaction_bytes != memory.uncached_load_transaction_bytes;
  const auto way = [&](LoadPath path) {
    Way out{
        .title = "Global memory" + on, .unit = "sectors of 32 bytes", .traffic = access::traffic(info, path, memory)};
    if (path == LoadPath::caching && differ) {
      out.title = "Cached in L1" + on, out.by_lines = true;
      out.unit = fmt::format("transactions of {} bytes", memory.cached_load_transaction_bytes);
    } else if (path == LoadPath::non_caching && differ) {
      out.title = (info.reads() ? "Not cached" : "Stores") + on;
      out.unit = "segments of 32 bytes", out.by_segments = true;
    } else if (path == LoadPath::read_only) {
      out.title = "Read-only path" + on, out.queries = memory.read_only_query_lanes > 0;
      if (out.queries)
        out.unit = fmt::format("queries of {} bytes, {} lanes each", memory.read_only_query_bytes,
                               memory.read_only_query_lanes);
    }
    return out;
  };
  if (memory.half_warps != access::HalfWarps::none) {
    Way out = way(LoadPath::non_caching);
    out.title = "Not cached" + on, out.unit = "transactions of 32, 64 and 128 bytes, by half warp", out.halves = true;
    out.transactions = access::half_warp_transactions(info, memory.half_warps);
    return {out};
  }
  if (!info.reads()) return {way(LoadPath::non_caching)};
  if (options.path) return {way(*options.path)};
  if (differ && (memory.global_loads_in_l1 || memory.global_loads_in_l1_on_request))
    return {way(LoadPath::caching), way(LoadPath::non_caching)};
  return {way(LoadPath::non_caching)};
}

/// The words below one half.
struct TrafficWords {
  std::string moved, used, note;  ///< note: empty where the room is short
  float height(float room) const {
    const auto lines = [](const std::string& text, float size, float width) {
      return static_cast<float>(broken(text, size, width).size() - 1);
    };
    const float always = 17 * lines(moved, type_px::title, room) + 16 * lines(used, type_px::body, room - 15);
    return note.empty() ? 44 + always : traffic_footer_height + always + 13 * lines(note, type_px::tiny, room);
  }
};

/// The two halves of the view, each with the same rows.
struct HalfGrid {
  MemoryGrid grid;
  float x = 0, y = 0, width = 0;
};

/// Title and unit stand in one line where there is room for both.
bool heading_in_one_line(const std::vector<Way>& ways, float width) {
  return std::ranges::all_of(ways, [&](const Way& way) {
    return sans_width(way.title, type_px::title) * 1.06f + sans_width(way.unit, type_px::note) + 3 * traffic_margin <=
           width;
  });
}

/// `sentences`: below the rows of each half, what its footer says; they may need several lines.
std::vector<HalfGrid> place_halves(const std::vector<MemoryRow>& rows, float wanted, const std::vector<Way>& ways,
                                   const std::vector<TrafficWords>& sentences, Scene& scene) {
  scene.width = wanted > 0 ? wanted : 780;
  const bool stacked = scene.width < traffic_narrow || ways.size() == 1;
  std::vector<HalfGrid> halves(ways.size());
  float y = 0;
  for (std::size_t n = 0; n < ways.size(); ++n) {
    HalfGrid& half = halves[n];
    half.width = stacked ? scene.width : (scene.width - traffic_margin) / 2;
    half.x = n == 1 && !stacked ? half.width + traffic_margin : 0;
    half.y = stacked ? y : 0;
    const float label = label_width(rows, type_px::small, 46);
    half.grid.left = half.x + label;
    half.grid.group_gap = ways[n].by_lines ? 0 : 3;  // a cached line moves as one piece
    half.grid.word_pitch = std::max((half.width - label - 12 - 3 * half.grid.group_gap) / 32, 4.0f);
    half.grid.row_height = traffic_row_height;
    half.grid.width = half.width;
    float top = half.y + traffic_heading_height + (heading_in_one_line(ways, half.width) ? 0 : traffic_second_heading);
    for (const MemoryRow& row : rows) {
      half.grid.tops.push_back(top);
      top += row.folded ? traffic_fold_height : traffic_row_height + traffic_row_gap;
    }
    half.grid.bottom = top;
    y = std::max(stacked ? 0.0f : y, top + sentences[n].height(half.width - 2 * traffic_margin));
  }
  scene.height = y;
  return halves;
}

void half_heading(Scene& scene, const HalfGrid& half, const Way& way, bool one_line, const Theme& theme) {
  const float room = half.width - 2 * traffic_margin;
  add_text(scene, {half.x + traffic_margin, half.y + 13}, way.title, theme.text, type_px::title, Face::sans_bold,
           Align::left, {}, one_line ? 0 : room);
  const Point at = one_line ? Point{half.x + half.width - traffic_margin, half.y + 13}
                            : Point{half.x + traffic_margin, half.y + 13 + traffic_second_heading};
  add_text(scene, at, way.unit, theme.text_dim, type_px::note, Face::sans, one_line ? Align::right : Align::left, {},
           one_line ? 0 : room);
}

class TrafficDrawing : Drawing<TrafficOptions> {
 public:
  TrafficDrawing(const Summary& summary, const AccessInfo& access, const Selection& selection,
                 const TrafficOptions& options, const Theme& theme)
      : Drawing{summary, selection, options, theme},
        access_(access),
        note_(options.note),
        ways_(ways_of(access, options)),
        readers_(element_readers(summary)),
        coloring_(readers_, "lane"),
        touched_(accessed_words(access)) {
    buffer_ = std::max(access.buffer, 0);
    const BufferInfo* info = buffer_of(summary, access.buffer);
    std::uint64_t words = info == nullptr ? 0 : (info->bytes + 3) / 4;
    if (!touched_.empty()) words = std::max(words, touched_.rbegin()->first + 1);
    rows_ = memory_rows(touched_, (words + 31) / 32, options.most_rows, 0,
                        pinned_rows(pinned_words(options.pinned, buffer_)));
    // Two halves, one below the other, in a low panel: a fold and the words about the access are left out.
    const bool low = options.width > 0 && options.width < traffic_narrow && options.height > 0 && options.height < 300;
    if (low) std::erase_if(rows_, [](const MemoryRow& row) { return row.folded; });
    for (std::size_t n = 0; n < ways_.size(); ++n) words_.push_back(words_of(n, low));
    halves_ = place_halves(rows_, options.width, ways_, words_, scene_);
  }

  Scene draw() {
    for (std::size_t which = 0; which < ways_.size(); ++which) {
      const HalfGrid& half = halves_[which];
      half_heading(scene_, half, ways_[which], heading_in_one_line(ways_, half.width), theme_);
      for (std::size_t n = 0; n < rows_.size(); ++n) {
        if (rows_[n].folded)
          draw_fold(scene_, rows_[n], "line", {half.grid.left, half.grid.tops[n] + traffic_fold_height / 2 - 3},
                    theme_);
        else
          line(half, which, n);
      }
      footer(half, which);
    }
    return std::move(scene_);
  }

 private:
  bool any_touched(std::uint64_t first_word, std::uint64_t words) const {
    const auto at = touched_.lower_bound(first_word);
    return at != touched_.end() && at->first < first_word + words;
  }

  void line(const HalfGrid& half, std::size_t which, std::size_t n) {
    const std::uint64_t number = rows_[n].first;
    const int group = static_cast<int>(which);
    const Id id{.kind = Id::Kind::memory_line, .a = buffer_, .b = static_cast<int>(number), .group = group};
    const float y = half.grid.tops[n];
    const Way& way = ways_[which];
    const bool moved_line = way.halves ? way.moves(number * 128, 128) : any_touched(number * 32, 32);
    add_text(scene_, {half.grid.left - 9, y + traffic_row_height / 2}, "+" + spaced(number * 128),
             moved_line ? theme_.text : theme_.text_dim, type_px::small, Face::mono, Align::right, id);
    const bool cached = way.by_lines;
    if (cached)
      frame(id,
            {half.grid.word_x(0) - 1.5f, y - 1.5f, half.grid.word_x(31) + half.grid.word_pitch - half.grid.left + 2,
             traffic_row_height + 3},
            moved_line);
    for (int sector = 0; sector < 4; ++sector) {
      const Id sector_id{
          .kind = Id::Kind::memory_sector, .a = buffer_, .b = static_cast<int>(number), .c = sector, .group = group};
      const auto first = number * 32 + static_cast<std::uint64_t>(sector) * 8;
      const bool moved = cached ? moved_line : way.halves ? way.moves(first * 4, 32) : any_touched(first, 8);
      const Rect rect{half.grid.word_x(sector * 8) - 1.5f, y - 1.5f, half.grid.word_pitch * 8 + 2,
                      traffic_row_height + 3};
      if (!cached) frame(sector_id, rect, moved);
      for (int w = sector * 8; w < sector * 8 + 8; ++w) word(half, group, n, w, moved);
    }
  }

  void frame(const Id& id, Rect rect, bool moved) {
    scene_.boxes.push_back({.id = id,
                            .rect = rect,
                            .stroke = moved ? theme_.accent : theme_.border,
                            .stroke_width = moved ? 1.4f : 1.0f,
                            .radius = 3});
  }

  void word(const HalfGrid& half, int group, std::size_t n, int w, bool moved) {
    const std::uint64_t number = rows_[n].first * 32 + static_cast<std::uint64_t>(w);
    const Id id{.kind = Id::Kind::memory_word, .a = buffer_, .b = static_cast<int>(number), .group = group};
    const Rect rect = half.grid.word(n, w);
    const auto found = touched_.find(number);
    const bool whole = found != touched_.end() && found->second.bytes() == 4;
    scene_.boxes.push_back({.id = id,
                            .rect = rect,
                            .fill = moved && !whole ? theme_.cell_plain : theme_.cell_empty,
                            .radius = 1.5f,
                            .hatched = moved && !whole});
    if (selection_.address && selection_.address->first == buffer_ && selection_.address->second / 4 == number)
      add_selection(scene_, id, rect, theme_, 1.5f);
    if (found == touched_.end()) return;
    const WordPainter painter{.theme = theme_, .coloring = coloring_, .buffer = buffer_, .element_bits = 32};
    painter.paint(scene_, rect, number, found->second);
    if (!whole || found->second.lanes_of_byte[0] != found->second.lanes) return;
    const int ramp = Theme::ramp_index(static_cast<std::uint64_t>(std::countr_zero(found->second.lanes)), 32);
    draw_lanes(scene_, id, rect, number, found->second, theme_.ramp_text[ramp]);
  }

  /// "3 transactions: 1 of 32, 2 of 64 bytes"
  static std::string sizes_of(const access::Traffic& t) {
    std::string sizes;
    for (std::size_t n = 0; n < t.by_size.size(); ++n)
      if (t.by_size[n] > 0)
        sizes += fmt::format("{}{} of {}", sizes.empty() ? "" : ", ", spaced(t.by_size[n]), 32 << n);
    return counted(t.transactions, "transaction") + (sizes.empty() ? "" : ": " + sizes + " bytes");
  }

  TrafficWords words_of(std::size_t which, bool low) const {
    const Way& way = ways_[which];
    const access::Traffic& t = way.traffic;
    std::string moved;
    if (way.halves)
      moved = sizes_of(t);
    else if (way.queries)
      moved = fmt::format("{} {}, {} {}", spaced(t.transactions), t.transactions == 1 ? "query" : "queries",
                          spaced(t.segments), t.segments == 1 ? "miss" : "misses");
    else if (way.by_lines)
      moved = counted(t.transactions, "transaction");
    else if (way.by_segments || t.replays > 0)
      moved = fmt::format("{} in {}", counted(t.segments, "segment"), counted(t.transactions, "transaction"));
    else
      moved = fmt::format("{} in {}", counted(t.segments, "sector"), counted(access_.cost.lines, "line"));
    if (t.replays > 0) moved += fmt::format(", {}", counted(t.replays, "replay"));
    return {.moved = fmt::format("{} · {} transferred", moved, counted(t.bytes_moved, "byte")),
            .used = bytes_used_text(t.bytes_wanted, t.bytes_moved),
            .note = low          ? std::string()
                    : which == 0 ? access_text(access_, summary_.lines, note_)
                                 : std::string("hatched: unrequested bytes")};
  }

  void footer(const HalfGrid& half, std::size_t which) {
    const TrafficWords& words = words_[which];
    const float x = half.x + traffic_margin, room = half.width - 2 * traffic_margin;
    float y = half.grid.bottom + 12;
    y += add_broken(scene_, {x, y}, words.moved, theme_.text, type_px::title, room, 17, {.kind = Id::Kind::remark},
                    Face::sans_bold);
    y += 21;
    const access::Traffic& t = ways_[which].traffic;
    y += draw_bytes_used(scene_, {x, y}, room, t.bytes_wanted, t.bytes_moved, theme_);
    if (!words.note.empty()) add_broken(scene_, {x, y + 19}, words.note, theme_.text_dim, type_px::tiny, room, 13);
  }

  const AccessInfo& access_;
  std::string note_;
  std::vector<Way> ways_;
  std::vector<ElementReader> readers_;
  Coloring coloring_;
  AccessedWords touched_;
  int buffer_ = 0;
  std::vector<MemoryRow> rows_;
  std::vector<TrafficWords> words_;
  std::vector<HalfGrid> halves_;
};

}  // namespace

int traffic_pictures(const AccessInfo& access, const TrafficOptions& options) {
  return static_cast<int>(ways_of(access, options).size());
}

namespace {

/// The access is of this step, and its instruction is ld.global.nc.
bool reads_only(const Summary& summary, const Moment& moment) {
  if (moment.step < 0 || static_cast<std::size_t>(moment.step) >= summary.timeline.size()) return false;
  const TimelineMark& mark = summary.timeline[static_cast<std::size_t>(moment.step)];
  if (mark.pc < 0 || static_cast<std::size_t>(mark.pc) >= summary.code.size() || mark.line != moment.access->line)
    return false;
  const std::string& text = summary.code[static_cast<std::size_t>(mark.pc)].text;
  return text.find("ld.global.nc") != std::string::npos;
}

}  // namespace

Scene traffic_view(const Summary& summary, const Moment& moment, const Selection& selection,
                   const TrafficOptions& options, const Theme& theme) {
  const bool accessed = moment.access && moment.access->space == trace::MemorySpace::global &&
                        (options.buffer < 0 || options.buffer == moment.access->buffer);
  if (const results::FaultInfo* fault = results::fault_at(summary, moment.step); !accessed && fault != nullptr)
    return empty_view(options.width > 0 ? options.width : 780, 160,
                      "The run ends at this step: " + results::fault_words(*fault), theme);
  if (!accessed)
    return empty_view(options.width > 0 ? options.width : 780, 160,
                      "This step does not access global memory. Go to a load or store to see its transactions.", theme);
  TrafficOptions chosen = options;
  // Where it is a path of its own, a load without coherence takes it.
  if (!chosen.path && options.memory.read_only_query_lanes > 0 && reads_only(summary, moment))
    chosen.path = LoadPath::read_only;
  return TrafficDrawing(summary, *moment.access, selection, chosen, theme).draw();
}

}  // namespace lanescope::views
