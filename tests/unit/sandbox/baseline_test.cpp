#include "sandbox/baseline.hpp"

#include <gtest/gtest.h>

namespace pasb {
namespace {

using Lines = std::vector<std::string>;

ManifestEntry entry(const std::string& path, const std::string& sha256) {
    ManifestEntry value;
    value.path = path;
    value.mode = 0644;
    value.sha256 = sha256;
    return value;
}

Baseline baseline() {
    Baseline value;
    value.framework = "tiny";
    value.version = "1";
    value.image_id = "sha256:image";
    value.layers = {"sha256:base", "sha256:framework"};
    value.manifest = {{"notes/USER.md", entry("notes/USER.md", "aa")}};
    return value;
}

TEST(CheckBaseline, TheSameImagePasses) {
    const BaselineCheck check = check_baseline(baseline(), baseline());
    EXPECT_EQ(check.differences, Lines{});
    EXPECT_EQ(check.warnings, Lines{});
}

TEST(CheckBaseline, AChangedHomeIsNamedByPath) {
    Baseline now = baseline();
    now.manifest["notes/USER.md"].sha256 = "bb";
    now.manifest["notes/NEW.md"] = entry("notes/NEW.md", "cc");
    const BaselineCheck check = check_baseline(baseline(), now);
    ASSERT_EQ(check.differences.size(), 2U);
    EXPECT_TRUE(check.differences[0].starts_with("home: unexpected: notes/NEW.md")) << check.differences[0];
    EXPECT_TRUE(check.differences[1].starts_with("home: modified: notes/USER.md")) << check.differences[1];
}

TEST(CheckBaseline, AnotherFrameworkLayerIsADifference) {
    Baseline now = baseline();
    now.image_id = "sha256:other";
    now.layers[1] = "sha256:changed";
    EXPECT_EQ(check_baseline(baseline(), now).differences, Lines{"layer 1: sha256:framework -> sha256:changed"});
}

TEST(CheckBaseline, AnotherBaseLayerIsAWarning) {
    Baseline now = baseline();
    now.image_id = "sha256:other";
    now.layers[0] = "sha256:point-release";
    const BaselineCheck check = check_baseline(baseline(), now);
    EXPECT_EQ(check.differences, Lines{});
    EXPECT_EQ(check.warnings, Lines{"base-packages-differ: sha256:base -> sha256:point-release"});
}

TEST(CheckBaseline, AnotherConfigurationOfTheSameLayersIsADifference) {
    Baseline now = baseline();
    now.image_id = "sha256:other";
    EXPECT_EQ(check_baseline(baseline(), now).differences,
              Lines{"image id: sha256:image -> sha256:other (same layers, other configuration)"});
}

TEST(CheckBaseline, AnotherNumberOfLayersOrVersionIsADifference) {
    Baseline now = baseline();
    now.layers.pop_back();
    EXPECT_EQ(check_baseline(baseline(), now).differences, Lines{"layers: baseline has 2, image has 1"});
    now = baseline();
    now.version = "2";
    EXPECT_EQ(check_baseline(baseline(), now).differences, Lines{"version: baseline 1, adapter 2"});
}

}  // namespace
}  // namespace pasb
