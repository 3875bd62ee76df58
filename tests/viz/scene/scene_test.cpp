#include "viz/scene/scene.h"

#include <random>

#include <gtest/gtest.h>
#include <nlohmann/json.hpp>

namespace lanescope::scene {
namespace {

Id random_id(std::mt19937& random) {
  const auto number = [&] { return static_cast<std::int32_t>(random() % 7 == 0 ? random() : random() % 3) - 1; };
  Id id{.kind = static_cast<Id::Kind>(random() % (static_cast<int>(Id::Kind::live_plot) + 1)),
        .a = number(),
        .b = number(),
        .c = number(),
        .d = number(),
        .group = static_cast<std::int32_t>(random() % 3)};
  return id;
}

TEST(SceneId, TextIsWhatScriptsUse) {
  EXPECT_EQ(to_string({.kind = Id::Kind::register_cell, .a = 2, .b = 0, .c = 12, .d = 1}), "register_cell/2/0/12/1");
  EXPECT_EQ(to_string({.kind = Id::Kind::playhead}), "playhead");
  EXPECT_EQ(to_string({.kind = Id::Kind::bank_heading, .a = 0, .group = 4}), "bank_heading/0@4");
}

TEST(SceneId, ParsingWhatWasPrintedIsTheIdentity) {
  std::mt19937 random(1);
  for (int n = 0; n < 5000; ++n) {
    const Id id = random_id(random);
    EXPECT_EQ(parse_id(to_string(id)), id) << to_string(id);
  }
}

TEST(SceneId, DifferentIdsHaveDifferentTexts) {
  std::mt19937 random(2);
  for (int n = 0; n < 5000; ++n) {
    const Id a = random_id(random), b = random_id(random);
    EXPECT_EQ(a == b, to_string(a) == to_string(b));
  }
}

TEST(SceneId, NonsenseIsRefused) {
  for (const char* text : {"", "cell/1", "register_cell/x", "register_cell/1/2/3/4/5", "playhead ", "playhead/",
                           "playhead@", "register_cell/99999999999"}) {
    EXPECT_FALSE(parse_id(text)) << text;
  }
}

TEST(SceneHit, AgreesWithLookingAtEveryBox) {
  std::mt19937 random(3);
  std::uniform_real_distribution<float> place(0, 100), extent(0, 40);
  for (int round = 0; round < 50; ++round) {
    Scene scene;
    for (int n = 0; n < 40; ++n) {
      Box box{.id = {.kind = n % 5 == 0 ? Id::Kind::none : Id::Kind::memory_word, .b = n},
              .rect = {place(random), place(random), extent(random), extent(random)},
              .fill = {},
              .stroke = {}};
      scene.boxes.push_back(box);
    }
    for (int probe = 0; probe < 100; ++probe) {
      const Point at{place(random), place(random)};
      const Box* topmost = nullptr;
      for (const Box& box : scene.boxes) {
        const bool inside = at.x >= box.rect.x && at.x < box.rect.x + box.rect.w && at.y >= box.rect.y &&
                            at.y < box.rect.y + box.rect.h;
        if (inside && box.id.kind != Id::Kind::none) topmost = &box;
      }
      EXPECT_EQ(hit(scene, at), topmost);
    }
  }
}

TEST(SceneHit, FindsBoxesById) {
  Scene scene;
  scene.boxes.push_back(
      {.id = {.kind = Id::Kind::memory_line, .b = 3}, .rect = {1, 2, 3, 4}, .fill = {}, .stroke = {}});
  ASSERT_NE(find(scene, {.kind = Id::Kind::memory_line, .b = 3}), nullptr);
  EXPECT_EQ(find(scene, {.kind = Id::Kind::memory_line, .b = 4}), nullptr);
}

TEST(SceneJson, IsValidWhateverTheTextHolds) {
  Scene scene;
  scene.width = 10, scene.height = 20;
  scene.groups = {"x"};
  scene.boxes.push_back(
      {.id = {.kind = Id::Kind::memory_line, .b = 3}, .rect = {1, 2, 3, 4}, .fill = {0x11223344}, .stroke = {}});
  scene.labels.push_back({.id = {}, .at = {1, 1}, .text = "\"\\ \xff\x01 ü", .color = {}});
  scene.lines.push_back({.id = {}, .from = {}, .to = {1, 1}, .color = {}});
  scene.arrows.push_back({.id = {}, .from = {}, .to = {1, 1}, .color = {}, .count = "×3"});
  scene.facts.push_back({.id = {.kind = Id::Kind::title}, .text = "a"});
  const auto json = nlohmann::json::parse(to_json(scene));
  EXPECT_EQ(json["width"], 10);
  EXPECT_EQ(json["boxes"][0]["id"], "memory_line/0/3");
  EXPECT_EQ(json["boxes"][0]["rect"], nlohmann::json({1, 2, 3, 4}));
  EXPECT_EQ(json["arrows"][0]["count"], "×3");
  EXPECT_EQ(json["labels"].size(), 1u);
}

}  // namespace
}  // namespace lanescope::scene
