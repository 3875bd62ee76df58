#pragma once
// Where the cells of a movement are on the paper, and where each value is at a position between before and after.
//
//     p   [0][1][2] .. [31]      what is read: memory, then registers
//
//           values on their way
//
//     x   [0][1][2] .. [31]      what is written
//
// All rows have 32 columns of words: lanes of a warp, banks of shared memory, words of a 128-byte line of global memory. A
// register row that is read and written across lanes is drawn twice, above as it was and below as it is. Values that move
// equally far travel at one height, those that move farther to the right lower: no two of one row cross on their way, and a
// reversal is a bar that turns. A value moves to its height, stays there while it crosses, and leaves it again.

#include <vector>

#include "results/movement.h"
#include "viz/scene/scene.h"

namespace lanescope::views {

struct MovementRoom {
  float width = 0, height = 0;
  float top = 0;        ///< that is taken above the rows
  bool in_lane = true;  ///< parts of registers that stay in their lane may be drawn as 32 bits of one lane
  int lane = 0;         ///< which one
};

class MovementPaths {
 public:
  MovementPaths(const results::Movement& movement, const MovementRoom& room);

  /// The cell before and after. Both are the same place but for rows that are drawn twice.
  scene::Rect before(int row, int column) const { return at(row, column, false); }
  scene::Rect after(int row, int column) const { return at(row, column, true); }
  bool drawn(int row, int column) const;
  bool twice(int row) const { return rows_[static_cast<std::size_t>(row)].twice; }
  /// At the upper or (also) the lower edge.
  bool is_above(int row) const { return rows_[static_cast<std::size_t>(row)].above >= 0; }
  bool is_below(int row) const { return rows_[static_cast<std::size_t>(row)].below >= 0; }
  float row_y(int row, bool below) const;

  /// The flow at `share`, 0 to 1; `t`: how far it is of its own way.
  struct Place {
    scene::Rect rect;
    float t = 0;
  };
  Place place(std::size_t flow, float share) const;
  scene::Point point(std::size_t flow, float t) const;  ///< of the middle of the value
  bool flow_drawn(std::size_t flow) const;

  float left() const { return left_; }
  float word_width() const { return word_width_; }
  float cell_height() const { return height_; }
  float bottom() const { return bottom_; }
  bool one_lane() const { return one_lane_; }
  int hidden_rows() const { return hidden_; }  ///< there is no room for
  int hidden_flows() const;
  int columns_of_lane() const { return lane_columns_; }  ///< bits or parts in a row of one lane

  static constexpr float heading = 15;

 private:
  struct RowPlace {
    int above = -1, below = -1;  ///< position in the upper and in the lower set; -1: not there
    bool twice = false;
    int cells = 32;
  };
  struct Track {
    scene::Point from, to;
    float y = 0, start = 0, duration = 1;
  };
  scene::Rect at(int row, int column, bool after) const;
  void choose_rows(const MovementRoom& room);
  void choose_heights(const MovementRoom& room);
  void choose_tracks();

  const results::Movement& m_;
  std::vector<RowPlace> rows_;
  std::vector<Track> tracks_;
  bool one_lane_ = false;
  int lane_ = 0, lane_columns_ = 32, hidden_ = 0;
  int above_ = 0, below_ = 0;  ///< how many rows
  float left_ = 0, word_width_ = 0, height_ = 0, pitch_ = 0, top_ = 0, gap_top_ = 0, gap_bottom_ = 0, bottom_ = 0,
        flight_height_ = 0;
};

/// A value as it is drawn: `cell` is what it is, at a place of its own or on the way of `flow`.
struct MovementChip {
  const results::Cell* cell = nullptr;
  int flow = -1;            ///< -1: it stands still
  int row = 0, column = 0;  ///< where it is, or its destination
  bool above = false;       ///< of a still one: it stands in the upper set
  scene::Rect rect;
  float strength = 1;                     ///< 0: not seen any more, or not yet
  bool ghost = false;                     ///< the value is elsewhere by now; this is where it was
  int origin_row = 0, origin_column = 0;  ///< where it was before the statement; of what appears, where it appears
};
/// Of a ghost.
inline constexpr float ghost_strength = 0.25f;

/// In the order in which they are painted: what travels is above what stays. At share 0 they are the state before, at share 1
/// the state after, and every value is there once, but for copies (a value that stays where it was and moves elsewhere, too)
/// and for ghosts: where a row is drawn twice, the upper one keeps what was in it, faintly.
std::vector<MovementChip> movement_chips(const results::Movement& movement, const MovementPaths& paths, float share);

}  // namespace lanescope::views
